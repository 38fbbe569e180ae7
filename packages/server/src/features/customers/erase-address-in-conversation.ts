import { foldedFacts, makeEvent, type StoredMessage, statusOfRecipients } from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import {
  attemptsWithout,
  draftWithout,
  isStrangers,
  messageWithout,
  namesAddress,
  participantsWithout,
} from '../../shared/erased-address.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { mergeTargetOf } from '../../shared/merged-conversation.ts'
import { newestMessages } from '../../shared/message-status-change.ts'
import { readAll } from '../../shared/read-all.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { AddressUse } from '../../storage/kinds/address-uses.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { Stored } from '../../storage/records.ts'
import { erasedPerCommitMax, erasedWords } from '../../storage/rules/erased.ts'
import type { HandlerContext } from '../handler.ts'

/** Messages of one commit. */
const pageSize = 50
/** Drafts of a conversation: each member of the team has one. */
const draftsMax = 500

export interface AddressErasure extends Pick<HandlerContext, 'store' | 'ids' | 'now'> {
  address: string
  /** Nothing that arrived later is erased. */
  until: string
  taskId: string
}

interface MessagesPage {
  rows: readonly Stored<StoredMessage>[]
  isFirst: boolean
  nextCursor: string | null
}

type FoundConversation = Stored<ConversationRecord>

/**
 * Returns the change that erases an address in the next messages of a conversation: mails that it sent are deleted as those
 * of a customer are, and all others name it no more.
 */
export async function conversationPage(erasure: AddressErasure, use: Stored<AddressUse>): Promise<Change> {
  const conversation = await erasure.store.conversations.find(use.conversationId)
  if (conversation === undefined) return { writes: [removalOf('addressUses', use)], events: [] }
  const page = await readPage(erasure, use)
  const { until, address } = erasure
  const isTheirs = (row: StoredMessage) => row.createdAt <= until && isStrangers(row, address)
  const isBegun = page.isFirst && page.rows.slice(0, 1).some(isTheirs)
  const isAlone = page.nextCursor === null && page.rows.every((row) => isTheirs(row) || isAutomatic(row))
  if (isBegun && isAlone && conversation.customerId === null) return wholeConversation(erasure, conversation)
  const deleted = page.rows.filter(isTheirs)
  const rest = page.rows.filter((row) => !isTheirs(row) && namesAddress(row, address))
  const blanked = rest.filter(({ createdAt }) => createdAt <= until)
  // The messages are how their events are found, so these are first.
  const about = [...blanked.map(({ _id }) => _id), ...(isBegun ? [conversation._id] : [])]
  await forget(erasure, { about, naming: null, at: erasure.now })
  const later = rest.find(({ createdAt }) => createdAt > until)
  const isLast = later !== undefined || page.nextCursor === null
  if (isLast) await forget(erasure, { about: [conversation._id], naming: address, at: until })
  const set = {
    ...(isBegun && erasedWords),
    ...(isLast && participantsWithout(conversation.participants ?? [], { address, until })),
  }
  const ended = isLast
    ? [...(await draftWrites(erasure, conversation)), useWrite(use, later?.createdAt)]
    : await progressWrites(erasure, { useId: use._id, cursor: page.nextCursor ?? '' })
  const blanks = await Promise.all(blanked.map((row) => messageWrites(erasure, row)))
  return {
    writes: [
      ...(await conversationWrites(erasure, conversation, { set, deleted })),
      ...deleted.map(({ _id: id }): Write => ({ op: 'erase', kind: 'messages', id, at: until })),
      ...blanks.flat(),
      ...(isBegun ? await activityWrites(erasure.store, conversation._id) : []),
      ...ended,
    ],
    events: [],
  }
}

async function readPage(
  { store, taskId }: AddressErasure,
  { _id, conversationId }: AddressUse,
): Promise<MessagesPage> {
  // The task as it is now: an earlier page has noted where this one begins.
  const { nextPage } = (await store.tasks.find(taskId)) ?? {}
  const cursor = nextPage?.useId === _id ? nextPage.cursor : undefined
  const list = { conversationId, sort: 'createdAt', page: 1, limit: pageSize, cursor } as const
  return { ...(await store.messages.listRows(list)), isFirst: cursor === undefined }
}

/** The automatic reply to a stranger says nothing without their mail. */
function isAutomatic({ direction, email }: StoredMessage): boolean {
  return direction === 'outbound' && email?.automated === true
}

/** Nobody else wrote in the conversation, which has no customer either. */
function wholeConversation({ ids, now, until: at }: AddressErasure, { _id: id }: FoundConversation): Change {
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'conversation.deleted',
    now,
    subjects: [id],
    data: { _id: id },
  })
  return { writes: [{ op: 'erase', kind: 'conversations', id, at }], events: [event] }
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

async function conversationWrites(
  { store }: AddressErasure,
  conversation: FoundConversation,
  { set, deleted }: { set: Partial<ConversationRecord>; deleted: readonly StoredMessage[] },
): Promise<Write[]> {
  const { _id: id, version: expectVersion, seq } = conversation
  const writes: Write[] = []
  if (Object.keys(set).length > 0)
    writes.push({ op: 'update', kind: 'conversations', id, expectVersion, set })
  if (deleted.length > 0) {
    const gone = new Set(deleted.map(({ _id }) => _id))
    const rest = (await newestMessages(store, id)).filter(({ _id }) => !gone.has(_id))
    const increment = { messageCount: -deleted.length }
    const facts = foldedFacts(conversation, rest)
    writes.push({ op: 'patch', kind: 'conversations', id, increment, set: facts, when: { seq } })
    const target = await mergeTargetOf(store, conversation)
    if (target._id !== id) writes.push({ op: 'patch', kind: 'conversations', id: target._id, increment })
  }
  return writes
}

/** The subject came from the mail of the address: what it was before a change is erased with it. */
async function activityWrites(store: AddressErasure['store'], conversationId: string): Promise<Write[]> {
  const writes: Write[] = []
  const all = readAll((cursor) =>
    store.activities.listRows({ conversationId, page: 1, limit: pageSize, cursor }),
  )
  for await (const row of all) if (row.action === 'subject_changed') writes.push(removalOf('activities', row))
  return writes
}

async function messageWrites(
  { store, address }: AddressErasure,
  row: Stored<StoredMessage>,
): Promise<Write[]> {
  const { _id: id, version: expectVersion } = row
  const without = messageWithout(row, address)
  const isSending = row.status === 'queued' && without.recipients !== undefined
  const status = isSending ? statusOfRecipients(without.recipients ?? []) : row.status
  const message: Write = { op: 'update', kind: 'messages', id, expectVersion, set: { ...without, status } }
  const send = await store.mailSends.find(id)
  // A running attempt ends with a commit of its own, which names nobody whom the message does not name.
  if (send === undefined || send.lockToken !== null) return [message]
  const isOver = send.status === 'queued' && status !== 'queued'
  const attempts = attemptsWithout(send.attempts, address)
  const set = { attempts, ...(isOver && { status: 'done' as const, dueAt: null }) }
  return [message, { op: 'update', kind: 'mailSends', id, expectVersion: send.version, set }]
}

async function draftWrites(
  { store, address }: AddressErasure,
  { _id: conversationId }: FoundConversation,
): Promise<Write[]> {
  const { rows } = await store.drafts.listRows({ conversationId, page: 1, limit: draftsMax })
  return rows.flatMap((draft): Write[] => {
    const set = draftWithout(draft, address)
    if (set === undefined) return []
    return [{ op: 'update', kind: 'drafts', id: draft._id, expectVersion: draft.version, set }]
  })
}

/** The row goes with the address. A person who has written again since is found by a later erasure. */
function useWrite(use: Stored<AddressUse>, laterAt: string | undefined): Write {
  if (laterAt === undefined) return removalOf('addressUses', use)
  const { _id: id, version: expectVersion } = use
  return { op: 'update', kind: 'addressUses', id, expectVersion, set: { createdAt: laterAt } }
}

async function progressWrites(
  { store, taskId: id }: AddressErasure,
  nextPage: { useId: string; cursor: string },
): Promise<Write[]> {
  const task = await store.tasks.find(id)
  if (task === undefined) return []
  return [{ op: 'update', kind: 'tasks', id, expectVersion: task.version, set: { nextPage } }]
}
