import { readSeqOf, unreadCount } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { LiveSignal } from '../../ports/live.ts'
import { type ConversationRead, conversationReadId } from '../../storage/kinds/conversation-reads.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { Stored } from '../../storage/records.ts'
import type { HandlerContext } from '../handler.ts'
import { readSignal, readWrites } from './read-state.ts'

/** The newest users whose reads follow a merge: each may be a row of its commit. */
const readersMax = 200

type Row = Stored<ConversationRecord>

interface Reading {
  userId: string
  userCreatedAt: string
  target: Stored<ConversationRead> | undefined
  source: Stored<ConversationRead> | undefined
}

interface Both {
  target: Row
  source: Row
}

/** The rows and signals by which the reads follow a merge or its end. */
export interface ReadChanges {
  writes: Write[]
  live: LiveSignal[]
}

async function readingsOf({ store }: HandlerContext, { target, source }: Both): Promise<Reading[]> {
  const { rows } = await store.users.listRows({ sort: '-createdAt', page: 1, limit: readersMax })
  const findRow = (userId: string, conversationId: string) =>
    store.conversationReads.find(conversationReadId({ userId, conversationId }))
  return Promise.all(
    rows
      .filter(({ isActive }) => isActive)
      .map(async ({ _id: userId, createdAt }) => {
        const [ofTarget, ofSource] = await Promise.all([
          findRow(userId, target._id),
          findRow(userId, source._id),
        ])
        return { userId, userCreatedAt: createdAt, target: ofTarget, source: ofSource }
      }),
  )
}

const seqOf = (conversation: Row, row: Stored<ConversationRead> | undefined, userCreatedAt: string) =>
  readSeqOf(conversation, { readSeq: row?.readSeq, userCreatedAt })

interface Mark {
  conversation: Row
  row: Stored<ConversationRead> | undefined
  userId: string
  readSeq: number
}

function marked(now: string, marks: readonly Mark[]): ReadChanges {
  return {
    writes: marks.flatMap((mark) => readWrites({ ...mark, now })),
    live: marks.map(({ conversation, userId, readSeq }) => {
      const unread = { count: unreadCount(conversation, readSeq), firstMessageId: null }
      return readSignal({ userId, conversationId: conversation._id, seq: readSeq, unread })
    }),
  }
}

/**
 * Returns the reads of the colleagues after a merge: as many messages are unread as in both before. `after` is the target with the counts
 * of both. The caller has read all of it, which `authorReadWrites` stores.
 */
export async function readsAfterMerge(
  ctx: HandlerContext,
  both: Both & { after: Row },
): Promise<ReadChanges> {
  const { target, source, after } = both
  const marks = (await readingsOf(ctx, both)).flatMap((reading): Mark[] => {
    const { userId, userCreatedAt, target: row } = reading
    const readSeq = seqOf(target, row, userCreatedAt) + seqOf(source, reading.source, userCreatedAt)
    const isKnown = userId === ctx.actor._id || readSeq === seqOf(after, row, userCreatedAt)
    return isKnown ? [] : [{ conversation: after, row, userId, readSeq }]
  })
  return marked(ctx.now, marks)
}

/**
 * Returns the reads after the end of a merge, whose `seq` of the target does not fall. A user who has read all of the target has read the
 * source too; for the others the target has no unread message of the source any more.
 */
export async function readsAfterUnmerge(ctx: HandlerContext, both: Both): Promise<ReadChanges> {
  const { target, source } = both
  const marks = (await readingsOf(ctx, both)).flatMap(({ userId, userCreatedAt, ...rows }): Mark[] => {
    const { seq: newest = 0 } = target
    const { seq: newestOfSource = 0 } = source
    const read = seqOf(target, rows.target, userCreatedAt)
    const unread = newestOfSource - seqOf(source, rows.source, userCreatedAt)
    if (unread <= 0) return []
    if (read >= newest) return [{ conversation: source, row: rows.source, userId, readSeq: newestOfSource }]
    const readSeq = Math.min(newest, read + unread)
    return [{ conversation: target, row: rows.target, userId, readSeq }]
  })
  return marked(ctx.now, marks)
}
