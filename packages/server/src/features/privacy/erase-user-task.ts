import { type Activity, isOpenRequest, type PrivacyRequest } from '@crmkit/core'
import type { TaskHandler } from '../../jobs/run-tasks.ts'
import type { Change, Write } from '../../ports/change.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { AuditEntry } from '../../storage/kinds/audit-log.ts'
import type { Stored } from '../../storage/records.ts'
import { erasedPerCommitMax } from '../../storage/rules/erased.ts'
import type { HandlerContext } from '../handler.ts'
import { releaseUser } from '../users/release-user.ts'

interface Deletion extends Pick<HandlerContext, 'store' | 'ids' | 'now'> {
  tenantId: string
  userId: string
  /** The id that takes the place of the user in the rows that stay. Only the task knows that they belong together. */
  pseudonym: string
  /** When the deletion was approved. */
  at: string
}

/** Returns the next page of one part of a deletion; undefined when nothing of it is left. */
type NextPage = (deletion: Deletion) => Promise<Change | undefined>

const firstPage = { page: 1, limit: erasedPerCommitMax / 5 } as const

function pageOf(writes: Write[]): Change | undefined {
  return writes.length === 0 ? undefined : { writes, events: [] }
}

/** Unassigns open conversations, and takes the user out of inboxes. Its events do not say who was assigned. */
const releasePage: NextPage = async (deletion) => {
  const { writes, events } = await releaseUser(deletion, deletion.userId)
  if (writes.length === 0) return undefined
  const id = JSON.stringify(deletion.userId)
  return { writes, events: events.map((event) => ({ ...event, body: event.body.replaceAll(id, 'null') })) }
}

/** Redacts events about the user, ends their deliveries, and deletes stored replies. It commits by itself. */
const eventPage: NextPage = async ({ store, userId: id, at }) => {
  const count = await store.eraseNext({ kind: 'users', id, at, limit: erasedPerCommitMax })
  return count === 0 ? undefined : { writes: [], events: [] }
}

const sessionPage: NextPage = async ({ store, userId }) => {
  const { rows } = await store.sessions.listRows({ userId, ...firstPage })
  return pageOf(rows.map((row) => removalOf('sessions', row)))
}

const signInPage: NextPage = async ({ store, userId }) => {
  const { rows } = await store.sourceSignIns.listRows({ userId, ...firstPage })
  return pageOf(rows.map((row) => removalOf('sourceSignIns', row)))
}

const messagePage: NextPage = async ({ store, userId, pseudonym }) => {
  const { rows } = await store.messages.listRows({ userId, ...firstPage })
  const sender = { type: 'user', _id: pseudonym, name: null } as const
  return pageOf(rows.map((row): Write => ({ ...updateOf(row), kind: 'messages', set: { sender } })))
}

const draftedMessagePage: NextPage = async ({ store, userId: drafterId, pseudonym }) => {
  const { rows } = await store.messages.listRows({ drafterId, ...firstPage })
  const draftedBy = { type: 'user', _id: pseudonym, name: null } as const
  return pageOf(rows.map((row): Write => ({ ...updateOf(row), kind: 'messages', set: { draftedBy } })))
}

const notePage: NextPage = async ({ store, userId, pseudonym }) => {
  const { rows } = await store.customerNotes.listRows({ userId, ...firstPage })
  const author = { type: 'user', _id: pseudonym, name: null } as const
  return pageOf(rows.map((row): Write => ({ ...updateOf(row), kind: 'customerNotes', set: { author } })))
}

const mentionPage: NextPage = async ({ store, userId: by, pseudonym }) => {
  const { rows } = await store.mentions.listRows({ by, ...firstPage })
  return pageOf(rows.map((row): Write => ({ ...updateOf(row), kind: 'mentions', set: { by: pseudonym } })))
}

const activityPage: NextPage = async ({ store, userId, pseudonym }) => {
  const pages = await Promise.all([
    store.activities.listRows({ userId, ...firstPage }),
    store.activities.listRows({ fromUserId: userId, ...firstPage }),
    store.activities.listRows({ toUserId: userId, ...firstPage }),
  ])
  const rows = new Map(pages.flatMap((page) => page.rows).map((row) => [row._id, row]))
  return pageOf(
    [...rows.values()].map((row) => ({ ...updateOf(row), ...unnamed(row, { userId, pseudonym }) })),
  )
}

function unnamed(
  { actor, changes }: Activity,
  { userId, pseudonym }: Pick<Deletion, 'userId' | 'pseudonym'>,
) {
  const named = <T>(value: T) => (value === userId ? pseudonym : value)
  const { assignedTo } = changes
  const isActor = actor.type === 'user' && actor._id === userId
  return {
    kind: 'activities' as const,
    set: {
      actor: isActor ? { type: 'user' as const, _id: pseudonym, name: null } : actor,
      changes: assignedTo
        ? { ...changes, assignedTo: { from: named(assignedTo.from), to: named(assignedTo.to) } }
        : changes,
    },
  }
}

/** A closed conversation keeps an assignee. */
const conversationPage: NextPage = async ({ store, userId, pseudonym }) => {
  const { rows } = await store.conversations.listRows({ assignedTo: userId, ...firstPage })
  const set = { assignedTo: pseudonym }
  return pageOf(rows.map((row): Write => ({ ...updateOf(row), kind: 'conversations', set })))
}

const callPage: NextPage = async ({ store, userId, pseudonym }) => {
  const { rows } = await store.calls.listRows({ agentId: userId, ...firstPage })
  return pageOf(rows.map((row): Write => ({ ...updateOf(row), kind: 'calls', set: { agentId: pseudonym } })))
}

const keyPage: NextPage = async ({ store, userId, pseudonym }) => {
  const { rows } = await store.apiKeys.listRows({ createdBy: userId, ...firstPage })
  const set = { createdBy: pseudonym }
  return pageOf(rows.map((row): Write => ({ ...updateOf(row), kind: 'apiKeys', set })))
}

/** A tenant has few webhooks. */
const webhookPage: NextPage = async ({ store, userId, pseudonym }) => {
  const { rows } = await store.webhooks.listRows(firstPage)
  const made = rows.filter(({ maker }) => maker?.type === 'user' && maker._id === userId)
  const set = { maker: { type: 'user', _id: pseudonym } } as const
  return pageOf(made.map((row): Write => ({ ...updateOf(row), kind: 'webhooks', set })))
}

const auditPage: NextPage = async ({ store, userId, pseudonym }) => {
  const acted = await store.auditLog.listRows({ actorUserId: userId, ...firstPage })
  const about = await store.auditLog.listRows({ targetUserId: userId, ...firstPage })
  const rows = new Map([...acted.rows, ...about.rows].map((row) => [row._id, row]))
  const named = <T extends { _id: string | null }>(one: T): T =>
    one._id === userId ? { ...one, _id: pseudonym } : one
  return pageOf(
    [...rows.values()].map((row): Write => {
      const set: Partial<AuditEntry> = { actor: named(row.actor), target: named(row.target) }
      return { ...updateOf(row), kind: 'auditLog', set }
    }),
  )
}

/** Closes the requests of the user, takes their words away, and notes that the deletion is completed. */
const requestPage: NextPage = async ({ store, ids, tenantId, userId, pseudonym, now }) => {
  const { rows } = await store.privacyRequests.listRows({ userId, ...firstPage })
  return pageOf(
    rows.flatMap((row): Write[] => {
      const set = { ...closed(row, now), userId: pseudonym, ...withoutWords, updatedAt: now }
      const update: Write = { ...updateOf(row), kind: 'privacyRequests', set }
      if (row.type !== 'deletion' || row.status !== 'processing') return [update]
      return [
        update,
        { op: 'insert', kind: 'auditLog', row: completion(row, { _id: ids.next('aud'), tenantId, now }) },
      ]
    }),
  )
}

const withoutWords = {
  reason: null,
  details: null,
  field: null,
  currentValue: null,
  requestedValue: null,
  notes: null,
  rejectionReason: null,
} satisfies Partial<PrivacyRequest>

/** A request of a person whose data is deleted has nothing left to do. */
function closed(request: PrivacyRequest, now: string): Partial<PrivacyRequest> {
  if (!isOpenRequest(request)) return {}
  return request.status === 'pending' ? { status: 'cancelled' } : { status: 'completed', completedAt: now }
}

interface NewEntry {
  _id: string
  tenantId: string
  now: string
}

function completion({ _id: id }: PrivacyRequest, { _id, tenantId, now }: NewEntry): AuditEntry {
  return {
    _id,
    tenantId,
    at: now,
    actor: { type: 'system', _id: null },
    action: 'privacyRequest.completed',
    target: { type: 'privacyRequest', _id: id },
    reason: null,
    changed: [],
    requestId: null,
  }
}

function updateOf({ _id: id, version: expectVersion }: Stored<{ _id: string }>) {
  return { op: 'update' as const, id, expectVersion }
}

/** In this order: the requests are last, because they say that the deletion is completed. */
const parts: readonly NextPage[] = [
  releasePage,
  eventPage,
  sessionPage,
  signInPage,
  messagePage,
  draftedMessagePage,
  notePage,
  mentionPage,
  activityPage,
  conversationPage,
  callPage,
  keyPage,
  webhookPage,
  auditPage,
  requestPage,
]

/**
 * Deletes what is stored about a user whose deletion was approved, and puts a pseudonym in their place where a row has
 * to stay. Each page finds what the ones before it have left, so a process that dies repeats at most one.
 */
export const eraseNextOfUser: TaskHandler = async (ctx, task) => {
  const { subjectId: userId, targetId: pseudonym, tenantId, requestedAt: at } = task
  if (pseudonym === null) throw new Error(`task ${task._id} has no pseudonym`)
  passFaultPoint('between-erasure-pages')
  for (const nextPage of parts) {
    const change = await nextPage({ ...ctx, tenantId, userId, pseudonym, at })
    if (change !== undefined) return change
  }
  return undefined
}
