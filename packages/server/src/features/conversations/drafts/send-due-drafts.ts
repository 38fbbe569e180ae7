import {
  Failure,
  isKeyExpired,
  isReplyBeforeDraft,
  maxNewerMessages,
  recipientChanged,
  rolePermissions,
} from '@crmkit/core'
import {
  type BackgroundJob,
  type JobDeclaration,
  type JobParts,
  pollEveryMs,
} from '../../../jobs/background-job.ts'
import { isOutboundLimit } from '../../../mail/out/outbound-budget.ts'
import type { Change, Write } from '../../../ports/change.ts'
import type { LiveSignal } from '../../../ports/live.ts'
import type { TenantStore } from '../../../ports/storage.ts'
import type { RowOfTenant } from '../../../ports/system-store.ts'
import { isoTime } from '../../../shared/clock.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { assertNotMerged } from '../../../shared/merged-conversation.ts'
import { StorageUnavailable, UniqueConflict, VersionConflict } from '../../../storage/errors.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { TenantRecord } from '../../../storage/kinds/tenants.ts'
import type { Stored, TenantId } from '../../../storage/records.ts'
import type { Actor } from '../../caller.ts'
import { findReply } from '../assert-nobody-replied.ts'
import { draftSignal } from './draft-signal.ts'
import type { DraftRow } from './find-draft.ts'
import { isRecipientChange } from './fixed-recipients.ts'
import { sentDraft } from './sent-draft.ts'

const pageSize = 50
const suspendedWaitMs = 60_000
const failedWaitMs = 10_000
const hourMs = 3_600_000
const outboundLimit = 'OUTBOUND_LIMIT'

type SendParts = Pick<JobParts, 'storage' | 'clock' | 'ids' | 'log' | 'quotas' | 'secrets' | 'mail' | 'live'>

/**
 * Sends drafts whose time has come. Several processes may try at once: the commit that sends a draft also ends it, so only
 * one of them succeeds.
 */
function createSendDueDrafts(parts: SendParts): BackgroundJob {
  const { storage, clock } = parts
  return {
    runDue: async () => {
      for (;;) {
        const due = await storage.system.across.dueDrafts.due(isoTime(clock.nowMs()), pageSize)
        let handled = 0
        for (const found of due) if (await trySend(parts, found)) handled += 1
        // A page of which none could be handled is left to the next poll instead of being read endlessly.
        if (due.length < pageSize || handled === 0) return null
      }
    },
  }
}

export const sendDueDrafts: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'planned replies that are to be sent',
    lateAfterMinutes: 5,
    oldestDue: async (system, now) => (await system.across.dueDrafts.due(now, 1))[0]?.row.dueAt ?? null,
  },
  wakes: {
    on: ['drafts'],
    ask({ change }, wake) {
      for (const write of change.writes) {
        const dueAt = dueAtOf(write)
        if (dueAt) wake(Date.parse(dueAt))
      }
    },
  },
  make: (parts) => createSendDueDrafts(parts),
}

/** Returns the time that a write plans for a draft; null or undefined when it plans none. */
function dueAtOf(write: Write<Kind>): string | null | undefined {
  if (write.kind !== 'drafts') return undefined
  if (write.op === 'insert') return write.row.dueAt
  return write.op === 'update' ? write.set.dueAt : undefined
}

/** Returns whether the draft is handled; logs a failure, so that one draft does not block the others. */
async function trySend(parts: SendParts, { tenantId, row: draft }: RowOfTenant<'drafts'>): Promise<boolean> {
  const { storage, clock, log } = parts
  const store = storage.forTenant(tenantId)
  try {
    const tenant = await storage.system.findTenant(tenantId)
    if (tenant === undefined || tenant.isSuspended)
      return await postpone(parts, { store, draft }, suspendedWaitMs)
    await commitDue(parts, { store, tenant, draft, now: isoTime(clock.nowMs()) })
    return true
  } catch (error) {
    // Another commit changed the draft or its conversation: the next poll reads them again.
    if (error instanceof VersionConflict) return false
    if (error instanceof StorageUnavailable) throw error
    log.error({ err: error, draftId: draft._id }, 'A draft could not be sent; it is tried again')
    return postpone(parts, { store, draft }, failedWaitMs)
  }
}

/** Plans another attempt, which changes neither the version nor `sendAt`. */
async function postpone(
  { clock }: SendParts,
  { store, draft }: { store: TenantStore; draft: DraftRow },
  waitMs: number,
): Promise<boolean> {
  const dueAt = isoTime(clock.nowMs() + waitMs)
  try {
    await store.commit({
      writes: [{ op: 'patch', kind: 'drafts', id: draft._id, max: { dueAt }, when: { dueAt: draft.dueAt } }],
      events: [],
    })
    return true
  } catch (error) {
    if (error instanceof VersionConflict) return false
    throw error
  }
}

interface Due {
  store: TenantStore
  tenant: Stored<TenantRecord> & { tenantId: TenantId }
  draft: DraftRow
  now: string
}

/** The end of a due draft: sent, or left with the reason why it was not. */
interface End {
  change: Change
  signals: LiveSignal[]
}

async function commitDue(parts: SendParts, due: Due): Promise<void> {
  const { store, tenant, draft, now } = due
  const { tenantId, limits: tenantLimits } = tenant
  try {
    const { change, signals } = await endOf(parts, due)
    const reservation = await parts.quotas.admit({ tenantId, tenantLimits }, change.writes)
    try {
      passFaultPoint('before-due-draft')
      await store.commit(change)
      passFaultPoint('after-due-draft')
    } finally {
      reservation?.end()
    }
    for (const signal of signals) parts.live.publish(tenantId, signal)
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === undefined) throw error
    const { change, signals } = reason === outboundLimit ? waiting(draft, now) : stopped(draft, reason, now)
    await store.commit(change)
    for (const signal of signals) parts.live.publish(tenantId, signal)
  }
}

/** Returns why a draft cannot be sent as it is; undefined for a failure that may pass in a moment. */
function refusalOf(error: unknown): string | undefined {
  if (isOutboundLimit(error)) return outboundLimit
  if (error instanceof Failure) return isRecipientChange(error.details) ? recipientChanged : error.code
  // A client has given the draft's id to a message of its own.
  return error instanceof UniqueConflict && error.kind === 'messages' ? 'CONFLICT' : undefined
}

async function endOf({ ids, secrets, mail }: SendParts, { store, tenant, draft, now }: Due): Promise<End> {
  const { limits: tenantLimits } = tenant
  const before = await store.conversations.find(draft.conversationId)
  // The draft of a deleted conversation is deleted with it.
  if (before === undefined) throw new VersionConflict('conversations')
  assertNotMerged(before)
  const actor = await findAuthor(store, draft, now)
  if (actor === undefined) return stopped(draft, 'AUTHOR_GONE', now)
  const { sendUnlessReplied, type } = draft
  const knownSeq = type === 'reply' ? (draft.ifSeq ?? undefined) : undefined
  const isReplied =
    (sendUnlessReplied && (await wasReplied(store, draft, before.seq ?? 0))) ||
    (knownSeq !== undefined && (await findReply(store, { conversation: before, knownSeq, actor })))
  if (isReplied) return stopped(draft, 'REPLIED', now)
  const ctx = { store, ids, now, tenantLimits, services: { secrets, mail } }
  const isSeqGuarded = sendUnlessReplied || knownSeq !== undefined
  const { change, ended } = await sentDraft(ctx, { draft, before, actor, isSeqGuarded })
  return { change, signals: ended.map((one) => draftSignal('draft.deleted', one)) }
}

/** Returns the end that leaves a draft unsent and says why. */
function stopped(draft: DraftRow, sendError: string, now: string): End {
  const { _id: id, version: expectVersion } = draft
  const set = { sendAt: null, dueAt: null, sendError, updatedAt: now }
  return {
    change: { writes: [{ op: 'update', kind: 'drafts', id, expectVersion, set }], events: [] },
    signals: [draftSignal('draft.updated', { ...draft, ...set, version: expectVersion + 1 })],
  }
}

/** Returns the end that leaves a draft planned until the budget of outgoing mail may allow it: at the next full hour. */
function waiting(draft: DraftRow, now: string): End {
  const { _id: id, version: expectVersion } = draft
  const dueAt = isoTime((Math.floor(Date.parse(now) / hourMs) + 1) * hourMs)
  const set = { dueAt, sendError: outboundLimit, updatedAt: now }
  return {
    change: { writes: [{ op: 'update', kind: 'drafts', id, expectVersion, set }], events: [] },
    signals: [draftSignal('draft.updated', { ...draft, ...set, version: expectVersion + 1 })],
  }
}

/** Returns the author as they are now; undefined for one who could not send the draft by a request any more. */
async function findAuthor(store: TenantStore, { author }: DraftRow, now: string): Promise<Actor | undefined> {
  const { _id } = author
  if (author.type === 'api') {
    const apiKey = await store.apiKeys.find(_id)
    if (!apiKey?.isActive || isKeyExpired(apiKey, now)) return undefined
    const { permissions } = apiKey
    return permissions.includes('write:conversations')
      ? { type: 'apiKey', _id, apiKey, permissions }
      : undefined
  }
  const user = await store.users.find(_id)
  if (!user?.isActive) return undefined
  const { role } = user
  const permissions = rolePermissions[role]
  return permissions.includes('write:conversations')
    ? { type: 'user', _id, user, sessionId: `draft ${_id}`, role, permissions }
    : undefined
}

/** After more than 100 newer messages the conversation is another one: the draft counts as replied. */
async function wasReplied(
  store: TenantStore,
  { conversationId, seenSeq, author }: DraftRow,
  seq: number,
): Promise<boolean> {
  const limit = seq - seenSeq
  if (limit <= 0) return false
  if (limit > maxNewerMessages) return true
  const { rows } = await store.messages.listRows({ conversationId, sort: '-createdAt', limit, page: 1 })
  return rows.some((message) => isReplyBeforeDraft(message, author))
}
