import type { DeliveryErrorCode, DeliveryLog } from '@crmkit/core'
import type { AttemptRecord } from './kinds/attempts.ts'
import type { EventRecord } from './kinds/events.ts'
import type { WebhookRecord } from './kinds/webhooks.ts'

declare const tenantBrand: unique symbol
/** Proof that a tenant id came from authentication, a registration or a stored row; never from a request. */
export type TenantId = string & { readonly [tenantBrand]: true }

/** A row as it is read: `version` rises by one with every `update` and guards the next one. */
export type Stored<T> = T & { readonly version: number }

export interface LoggedEvent extends EventRecord {
  /** The position after which a reader continues; see `event-position.ts`. */
  position: string
}

/**
 * A delivery queue of pending attempts: those of one webhook that are first at their event, or those that repeat one.
 * Two delivery queues for each webhook, so that a receiver's new events do not wait behind the events that it
 * refused.
 */
export interface DeliveryQueue {
  tenantId: TenantId
  webhookId: string
  isRetry: boolean
}

export interface PlannedQueue extends DeliveryQueue {
  url: string
  /** When the delivery queue's earliest attempt is due, or its lease ends; may be the past of one that is under way. */
  nextAt: string
}

export interface ClaimedQueue {
  claims: ClaimedAttempt[]
  /**
   * As in `PlannedQueue`, for the attempts that were not claimed; may be early, never late. Null when nothing is
   * pending.
   */
  nextAt: string | null
}

/** A pending attempt, leased to the caller, with everything that is needed to make it. */
export interface ClaimedAttempt {
  tenantId: TenantId
  attempt: AttemptRecord
  webhook: WebhookRecord
  event: EventRecord
  lockToken: string
}

/** The result of a claimed attempt. Written only while `lockToken` still holds the row. */
export interface AttemptResult {
  tenantId: TenantId
  webhookId: string
  attemptId: string
  lockToken: string
  status: 'success' | 'failed'
  statusCode: number | null
  deliveredAt: string
  responseTime: number
  error: string | null
  errorCode: DeliveryErrorCode | null
  timings: DeliveryLog['timings']
  remoteAddress: string | null
  /** The attempt that follows a failure, as a new pending row; null when there is none. */
  next: { _id: string; nextAttemptAt: string } | null
}

/** The record alone, for replies and for copies into another row. */
export function withoutVersion<T>({ version: _version, ...record }: Stored<T>): Omit<Stored<T>, 'version'> {
  return record
}

/** A record of any kind, as a writer handles it. */
export type Document = Record<string, unknown> & { _id: string; tenantId?: string }
