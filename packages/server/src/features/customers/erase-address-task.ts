import { statusOfRecipients } from '@crmkit/core'
import type { TaskHandler } from '../../jobs/run-tasks.ts'
import type { Change, Write } from '../../ports/change.ts'
import {
  attemptsWithout,
  draftWithout,
  hasOlderHolder,
  messageWithout,
  namesAddress,
  participantsWithout,
} from '../../shared/erased-address.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { mailRemoval } from '../../shared/mail-removal.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { AddressUse } from '../../storage/kinds/address-uses.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { TaskRecord } from '../../storage/kinds/tasks.ts'
import type { Stored } from '../../storage/records.ts'
import { erasedPerCommitMax } from '../../storage/rules/erased.ts'
import type { HandlerContext } from '../handler.ts'
import { strangerPage } from './erase-strangers.ts'

/** Rows of one commit. */
const pageSize = 50
/** Drafts of a conversation: each member of the team has one. */
const draftsMax = 500

export interface AddressErasure extends Pick<HandlerContext, 'store' | 'ids' | 'now'> {
  address: string
  /** What arrived later is not erased. */
  until: string
  task: TaskRecord
}

/** Returns the next page of one part of the erasure; undefined when nothing of it is left. */
type NextPage = (erasure: AddressErasure) => Promise<Change | undefined>

const pageOf = (writes: Write[]): Change => ({ writes, events: [] })

/** Mails that no conversation holds, with their bytes. */
const mailPage: NextPage = async ({ store, address, until, now }) => {
  const found = await store.inboundMails.list({
    unlinkedSender: address,
    sort: 'createdAt',
    page: 1,
    limit: pageSize,
  })
  const rows = found.rows.filter(({ receivedAt }) => receivedAt <= until)
  if (rows.length === 0) return undefined
  const writes = await Promise.all(rows.map((row) => mailRemoval(store, row, now)))
  return pageOf(writes.flat())
}

/** The address in what others wrote, one page of the messages of one conversation at a time. */
const usePage: NextPage = async (erasure) => {
  const { store, address, until } = erasure
  const { rows } = await store.addressUses.list({ address, page: 1, limit: 1 })
  const [use] = rows
  return use === undefined || use.createdAt > until ? undefined : conversationPage(erasure, use)
}

async function conversationPage(erasure: AddressErasure, use: Stored<AddressUse>): Promise<Change> {
  const { store, address, until, task, now } = erasure
  // The task as it is now: an earlier page may have noted its progress.
  const current = await store.tasks.find(task._id)
  const [useId, cursor] = (current?.progress ?? '').split(' ')
  const page = await store.messages.list({
    conversationId: use.conversationId,
    sort: 'createdAt',
    page: 1,
    limit: pageSize,
    ...(useId === use._id && { cursor }),
  })
  const naming = page.rows.filter((row) => namesAddress(row, address))
  const erased = naming.filter(({ createdAt }) => createdAt <= until)
  // The messages are how their events are found, so these are first.
  await forget(erasure, { about: erased.map(({ _id }) => _id), naming: null, at: now })
  const writes = await Promise.all(erased.map((row) => messageWrites(erasure, row._id)))
  const later = naming.find(({ createdAt }) => createdAt > until)
  const isLast = later !== undefined || page.nextCursor === null
  const rest = isLast
    ? await lastWrites(erasure, use, later?.createdAt)
    : progressWrites(current, `${use._id} ${page.nextCursor}`)
  return pageOf([...writes.flat(), ...rest])
}

function progressWrites(task: Stored<TaskRecord> | undefined, progress: string): Write[] {
  if (task === undefined) return []
  const { _id: id, version: expectVersion } = task
  return [{ op: 'update', kind: 'tasks', id, expectVersion, set: { progress } }]
}

/** Redacts the events and deletes the replies about rows that stay. It commits by itself. */
async function forget(
  { store }: AddressErasure,
  of: { about: readonly string[]; naming: string | null; at: string },
): Promise<void> {
  if (of.about.length === 0) return
  while ((await store.eraseNext({ ...of, limit: erasedPerCommitMax })) > 0)
    passFaultPoint('between-erasure-pages')
}

async function messageWrites({ store, address }: AddressErasure, id: string): Promise<Write[]> {
  const [row, send] = await Promise.all([store.messages.find(id), store.mailSends.find(id)])
  if (row === undefined) return []
  const without = messageWithout(row, address)
  const status =
    row.status === 'queued' && row.email ? statusOfRecipients(without.recipients ?? []) : row.status
  const message: Write = {
    op: 'update',
    kind: 'messages',
    id,
    expectVersion: row.version,
    set: { ...without, status },
  }
  // A running attempt ends with a commit of its own, which names nobody whom the message does not name.
  if (send === undefined || send.lockToken !== null) return [message]
  const isOver = send.status === 'queued' && status !== 'queued'
  const attempts = attemptsWithout(send.attempts, address)
  const set = { attempts, ...(isOver && { status: 'done' as const, dueAt: null }) }
  return [message, { op: 'update', kind: 'mailSends', id, expectVersion: send.version, set }]
}

/** Ends a conversation: its own row, its drafts, its events, and the row by which it was found. */
async function lastWrites(
  erasure: AddressErasure,
  use: Stored<AddressUse>,
  laterAt: string | undefined,
): Promise<Write[]> {
  const { store, address, until } = erasure
  const { conversationId } = use
  await forget(erasure, { about: [conversationId], naming: address, at: until })
  const conversation = await store.conversations.find(conversationId)
  const { rows: drafts } = await store.drafts.list({ conversationId, page: 1, limit: draftsMax })
  const { _id: id, version: expectVersion } = use
  return [
    ...(conversation ? conversationWrites(erasure, conversation) : []),
    ...drafts.flatMap((draft): Write[] => {
      const set = draftWithout(draft, address)
      if (set === undefined) return []
      return [{ op: 'update', kind: 'drafts', id: draft._id, expectVersion: draft.version, set }]
    }),
    // A person who has written again since is found by a later erasure.
    laterAt === undefined
      ? removalOf('addressUses', use)
      : { op: 'update', kind: 'addressUses', id, expectVersion, set: { createdAt: laterAt } },
  ]
}

function conversationWrites(
  { address, until }: AddressErasure,
  { _id: id, version: expectVersion, participants: before = [] }: Stored<ConversationRecord>,
): Write[] {
  const participants = participantsWithout(before, { address, until })
  if (participants === undefined) return []
  return [{ op: 'update', kind: 'conversations', id, expectVersion, set: { participants } }]
}

/** In this order: what is deleted as a whole needs no blanks. */
const parts: readonly NextPage[] = [mailPage, strangerPage, usePage]

/**
 * Erases what an address of an erased customer has left until the request. Decided when it runs: while another living
 * customer who was made before the request has the address, all of it may be theirs.
 */
export const eraseNextOfAddress: TaskHandler = async (ctx, task) => {
  const { targetId: address, requestedAt: until } = task
  if (address === null) throw new Error(`task ${task._id} has no address`)
  if (await hasOlderHolder(ctx.store, address, until)) return undefined
  passFaultPoint('between-erasure-pages')
  for (const nextPage of parts) {
    const change = await nextPage({ ...ctx, address, until, task })
    if (change !== undefined) return change
  }
  return undefined
}
