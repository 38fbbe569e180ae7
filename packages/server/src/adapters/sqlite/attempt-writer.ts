import type {
  AttemptRecord,
  AttemptResult,
  ClaimedAttempt,
  EventRecord,
  TenantId,
  WebhookRecord,
} from '../../ports/records.ts'
import type { SystemStore } from '../../ports/storage.ts'
import { followingAttempt } from '../../ports/storage-rules/attempts.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { type AttemptRow, attemptColumns, attemptValues, insertAttempt, toAttempt } from './attempt-rows.ts'
import { findDueAttempts } from './due-attempts.ts'
import { type EventRow, eventColumns, toEvent } from './event-rows.ts'
import type { Sql } from './sql.ts'

export type Claim = Parameters<SystemStore['claimDueAttempts']>[0]

function findWebhook(sql: Sql, row: AttemptRow): WebhookRecord | undefined {
  const found = sql
    .tenant(row.tenant_id)
    .get<{ doc: string }>('SELECT doc FROM webhooks WHERE tenant_id = @tenant AND id = ?', row.webhook_id)
  return found && (JSON.parse(found.doc) as WebhookRecord)
}

function findEvent(sql: Sql, row: AttemptRow): EventRecord | undefined {
  const found = sql
    .tenant(row.tenant_id)
    .get<EventRow>(`SELECT ${eventColumns} FROM events WHERE tenant_id = @tenant AND id = ?`, row.event_id)
  return found && toEvent(found)
}

function claimAttempts(
  sql: Sql,
  { now, limit, leaseMs, lockToken, busyWebhookIds }: Claim,
): ClaimedAttempt[] {
  const lockedUntil = new Date(Date.parse(now) + leaseMs).toISOString()
  const claimed: ClaimedAttempt[] = []
  for (const row of findDueAttempts({ sql, busyWebhookIds, until: now, limit })) {
    const [webhook, event] = [findWebhook(sql, row), findEvent(sql, row)]
    if (!webhook || !event) continue
    sql
      .tenant(row.tenant_id)
      .run(
        'UPDATE attempts SET due_at = ?, lock_token = ? WHERE tenant_id = @tenant AND n = ?',
        ...[lockedUntil, lockToken, row.n],
      )
    claimed.push({
      tenantId: row.tenant_id as TenantId,
      attempt: toAttempt(row),
      webhook,
      event,
      lockToken,
    })
  }
  return claimed
}

/** Claims, results and recorded attempts. Runs inside the writer's transaction only. */
export function createAttemptWriter(sql: Sql) {
  function finish(result: AttemptResult): boolean {
    const scoped = sql.tenant(result.tenantId)
    const row = scoped.get<AttemptRow>(
      `SELECT ${attemptColumns} FROM attempts
       WHERE tenant_id = @tenant AND id = ? AND status = 'pending' AND lock_token = ?`,
      ...[result.attemptId, result.lockToken],
    )
    if (!row) return false
    scoped.run(
      `UPDATE attempts SET status = ?, status_code = ?, delivered_at = ?, response_time = ?, error = ?,
       error_code = ?, timings = ?, remote_address = ?, next_attempt_at = ?, due_at = NULL, lock_token = NULL
       WHERE tenant_id = @tenant AND n = ?`,
      ...[result.status, result.statusCode, result.deliveredAt, result.responseTime, result.error],
      ...[result.errorCode, result.timings === null ? null : JSON.stringify(result.timings)],
      ...[result.remoteAddress, result.next?.nextAttemptAt ?? null, row.n],
    )
    const next = followingAttempt(toAttempt(row), result)
    if (next) scoped.run(insertAttempt, ...attemptValues(next))
    passFaultPoint('during-result-commit')
    return true
  }

  return {
    claim: (claim: Claim): ClaimedAttempt[] => claimAttempts(sql, claim),
    finish: (results: readonly AttemptResult[]): number => results.filter(finish).length,
    record(tenantId: string, attempt: AttemptRecord): void {
      if (attempt.tenantId !== tenantId) throw new TypeError('the attempt names another tenant')
      sql.tenant(tenantId).run(insertAttempt, ...attemptValues(attempt))
    },
  }
}
