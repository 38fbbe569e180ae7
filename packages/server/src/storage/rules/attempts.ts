import type { DomainEvent, IdFactory } from '@crmkit/core'
import type { AttemptRecord } from '../kinds/attempts.ts'
import type { AttemptResult } from '../records.ts'

/* The life of an attempt, for every storage adapter alike. */

interface PlannedFor {
  tenantId: string
  webhookId: string
  ids: IdFactory
}

/** The first attempt to deliver an event to a webhook, due at once. */
export function plannedAttempt(event: DomainEvent, { tenantId, webhookId, ids }: PlannedFor): AttemptRecord {
  return {
    _id: ids.next('log'),
    tenantId,
    webhookId,
    event: event.type,
    status: 'pending',
    statusCode: null,
    attempt: 1,
    deliveredAt: null,
    responseTime: null,
    error: null,
    errorCode: null,
    eventId: event._id,
    deliveryId: ids.next('dlv'),
    nextAttemptAt: event.timestamp,
    timings: null,
    remoteAddress: null,
    createdAt: event.timestamp,
  }
}

/** When a pending attempt may be claimed first; null for one that is done. */
export function attemptDueAt({ status, nextAttemptAt, createdAt }: AttemptRecord): string | null {
  return status === 'pending' ? (nextAttemptAt ?? createdAt) : null
}

/** Returns the fields that a result changes in its attempt. */
export function attemptOutcome(result: AttemptResult): Partial<AttemptRecord> {
  const { status, statusCode, deliveredAt, responseTime, error, errorCode, timings, remoteAddress } = result
  return {
    status,
    statusCode,
    deliveredAt,
    responseTime,
    error,
    errorCode,
    timings,
    remoteAddress,
    nextAttemptAt: result.next?.nextAttemptAt ?? null,
  }
}

/** The attempt that follows a failed one, given as it was before its result; null when there is none. */
export function followingAttempt(
  before: AttemptRecord,
  { next, deliveredAt }: AttemptResult,
): AttemptRecord | null {
  if (!next) return null
  return {
    ...before,
    _id: next._id,
    attempt: before.attempt + 1,
    nextAttemptAt: next.nextAttemptAt,
    createdAt: deliveredAt,
  }
}

/** Returns the time after which an attempt was planned by a clock that was ahead. */
export function plannedAheadAfter(now: string): string {
  return new Date(Date.parse(now) + 1000).toISOString()
}

/** Returns the changes of an attempt that was planned by a clock that was ahead: its wait begins now. */
export function replannedAttempt(
  { nextAttemptAt, createdAt }: Pick<AttemptRecord, 'nextAttemptAt' | 'createdAt'>,
  now: string,
): { nextAttemptAt: string; createdAt: string } {
  const waitMs = Math.max(0, Date.parse(nextAttemptAt ?? createdAt) - Date.parse(createdAt))
  return { nextAttemptAt: new Date(Date.parse(now) + waitMs).toISOString(), createdAt: now }
}
