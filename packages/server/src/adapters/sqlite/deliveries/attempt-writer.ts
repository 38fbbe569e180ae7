import { passFaultPoint } from '../../../shared/fault-points.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { AttemptResult } from '../../../storage/records.ts'
import { followingAttempt } from '../../../storage/rules/attempts.ts'
import type { Sql } from '../connection/sql.ts'
import { isUniqueViolation } from '../connection/sqlite-errors.ts'
import { type AttemptRow, attemptColumns, attemptValues, insertAttempt, toAttempt } from './attempt-rows.ts'
import { countResults } from './webhook-counts.ts'

/** A result, with the row number of its attempt. */
export type RowResult = AttemptResult & { n: number }

export type AttemptWriter = ReturnType<typeof createAttemptWriter>

function assertTenant(tenantId: string, attempt: AttemptRecord): void {
  if (attempt.tenantId !== tenantId) throw new TypeError('the attempt names another tenant')
}

/** Writes results, planned attempts and finished attempts. Runs inside the writer's transaction only. */
export function createAttemptWriter(sql: Sql) {
  function findRow({ tenantId, n }: RowResult): AttemptRow | undefined {
    const text = `SELECT ${attemptColumns} FROM attempts WHERE tenant_id = @tenant AND n = ?`
    return sql.tenant(tenantId).get<AttemptRow>(text, n)
  }

  /** Writes a result unless the attempt has ended already, by an erasure or with its webhook; returns whether it did. */
  function finish(result: RowResult): boolean {
    const scoped = sql.tenant(result.tenantId)
    const before = result.next ? findRow(result) : undefined
    const { changes } = scoped.run(
      `UPDATE attempts SET status = ?, status_code = ?, delivered_at = ?, response_time = ?, error = ?,
       error_code = ?, timings = ?, remote_address = ?, next_attempt_at = ?, due_at = NULL
       WHERE tenant_id = @tenant AND n = ? AND id = ? AND status = 'pending'`,
      result.status,
      result.statusCode,
      result.deliveredAt,
      result.responseTime,
      result.error,
      result.errorCode,
      result.timings === null ? null : JSON.stringify(result.timings),
      result.remoteAddress,
      result.next?.nextAttemptAt ?? null,
      result.n,
      result.attemptId,
    )
    const next = changes > 0 && before && followingAttempt(toAttempt(before), result)
    if (next) scoped.run(insertAttempt, ...attemptValues(next))
    passFaultPoint('during-result-commit')
    return changes > 0
  }

  return {
    finish(results: readonly RowResult[]): number {
      const written = results.filter(finish)
      countResults(sql, written)
      return written.length
    },
    /** Returns how many attempts were planned. Throws `VersionConflict` when one of them exists. */
    plan(tenantId: string, attempts: readonly AttemptRecord[]): number {
      for (const attempt of attempts) {
        assertTenant(tenantId, attempt)
        try {
          sql.tenant(tenantId).run(insertAttempt, ...attemptValues(attempt))
        } catch (error) {
          throw isUniqueViolation(error) ? new VersionConflict('webhooks') : error
        }
        passFaultPoint('during-recover')
      }
      return attempts.length
    },
    record(tenantId: string, attempt: AttemptRecord): void {
      assertTenant(tenantId, attempt)
      sql.tenant(tenantId).run(insertAttempt, ...attemptValues(attempt))
    },
  }
}
