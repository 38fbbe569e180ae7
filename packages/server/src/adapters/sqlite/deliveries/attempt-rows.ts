import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import { attemptDueAt } from '../../../storage/rules/attempts.ts'
import type { SqlValue } from '../connection/sql.ts'

/** A row of `attempts`, the one table without a JSON record: most of its rows are small and change once. */
export interface AttemptRow {
  n: number
  tenant_id: string
  id: string
  webhook_id: string
  event_id: string
  delivery_id: string
  event: string
  status: AttemptRecord['status']
  attempt: number
  status_code: number | null
  delivered_at: string | null
  response_time: number | null
  error: string | null
  error_code: AttemptRecord['errorCode']
  next_attempt_at: string | null
  timings: string | null
  remote_address: string | null
  created_at: string
}

export const attemptColumns = `n, tenant_id, id, webhook_id, event_id, delivery_id, event, status, attempt,
  status_code, delivered_at, response_time, error, error_code, next_attempt_at, timings, remote_address, created_at`

export function toAttempt(row: AttemptRow): AttemptRecord {
  return {
    _id: row.id,
    tenantId: row.tenant_id,
    webhookId: row.webhook_id,
    event: row.event,
    status: row.status,
    statusCode: row.status_code,
    attempt: row.attempt,
    deliveredAt: row.delivered_at,
    responseTime: row.response_time,
    error: row.error,
    errorCode: row.error_code,
    eventId: row.event_id,
    deliveryId: row.delivery_id,
    nextAttemptAt: row.next_attempt_at,
    timings: row.timings === null ? null : (JSON.parse(row.timings) as AttemptRecord['timings']),
    remoteAddress: row.remote_address,
    createdAt: row.created_at,
  }
}

export const insertAttempt = `INSERT INTO attempts (tenant_id, id, webhook_id, event_id, delivery_id, event, status,
  attempt, status_code, delivered_at, response_time, error, error_code, next_attempt_at, timings, remote_address,
  created_at, due_at) VALUES (@tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Returns the values that `insertAttempt` binds. Only a pending attempt has a due time. */
export function attemptValues(attempt: AttemptRecord): SqlValue[] {
  return [
    attempt._id,
    attempt.webhookId,
    attempt.eventId,
    attempt.deliveryId,
    attempt.event,
    attempt.status,
    attempt.attempt,
    attempt.statusCode,
    attempt.deliveredAt,
    attempt.responseTime,
    attempt.error,
    attempt.errorCode,
    attempt.nextAttemptAt,
    attempt.timings === null ? null : JSON.stringify(attempt.timings),
    attempt.remoteAddress,
    attempt.createdAt,
    attemptDueAt(attempt),
  ]
}
