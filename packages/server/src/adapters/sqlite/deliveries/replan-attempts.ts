import type { SystemStore } from '../../../ports/system-store.ts'
import { plannedAheadAfter, replannedAttempt } from '../../../storage/rules/attempts.ts'
import type { Sql } from '../connection/sql.ts'
import type { AttemptRow } from './attempt-rows.ts'

type Bound = Parameters<SystemStore['replanAttempts']>[0]
type PlannedRow = Pick<AttemptRow, 'n' | 'tenant_id' | 'next_attempt_at' | 'created_at'>

/** Implements `replanAttempts` of the port; runs inside the writer's transaction. */
export function replanAttempts(sql: Sql, { now, limit }: Bound): number {
  const rows = sql.across.all<PlannedRow>(
    `SELECT n, tenant_id, next_attempt_at, created_at FROM attempts INDEXED BY attempts_by_time
     WHERE created_at > ? AND status = 'pending' LIMIT ?`,
    plannedAheadAfter(now),
    limit,
  )
  for (const { n, tenant_id, ...row } of rows) {
    const before = { nextAttemptAt: row.next_attempt_at, createdAt: row.created_at }
    const { nextAttemptAt, createdAt } = replannedAttempt(before, now)
    sql
      .tenant(tenant_id)
      .run(
        'UPDATE attempts SET due_at = ?, next_attempt_at = ?, created_at = ? WHERE tenant_id = @tenant AND n = ?',
        nextAttemptAt,
        nextAttemptAt,
        createdAt,
        n,
      )
  }
  return rows.length
}
