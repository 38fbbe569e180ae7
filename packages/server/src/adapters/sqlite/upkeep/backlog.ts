import type { Backlog } from '../../../ports/system-store.ts'
import { upgradeTaskPrefix } from '../../../storage/kinds/tasks.ts'
import { rowsToUpgrade } from '../../../storage/rules/upgrades.ts'
import type { Sql } from '../connection/sql.ts'
import { type RecordRow, toRecord } from '../rows/records.ts'

/** Counts waiting work by indexes, at most `limit` entries of each. */
export function measureBacklog(sql: Sql, limit: number): Backlog {
  const counted = (source: string, ...params: string[]) =>
    sql.across.get<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${source} LIMIT ?)`,
      ...params,
      limit,
    )?.count ?? 0
  const oldest = sql.across.get<{ at: string }>(
    "SELECT json_extract(doc, '$.requestedAt') AS at FROM tasks WHERE id < ? ORDER BY id, tenant_id LIMIT 1",
    upgradeTaskPrefix,
  )
  const upgrades = sql.across.all<RecordRow>(
    'SELECT version, doc FROM tasks WHERE id >= ? LIMIT ?',
    upgradeTaskPrefix,
    limit,
  )
  return {
    attempts: counted("attempts INDEXED BY attempts_queues WHERE status = 'pending'"),
    tasks: counted('tasks WHERE id < ?', upgradeTaskPrefix),
    oldestTaskAt: oldest?.at ?? null,
    // Every commit gives its events their positions.
    unsequencedEvents: 0,
    oldestUnsequencedAt: null,
    rowsToUpgrade: rowsToUpgrade(upgrades.map((row) => () => toRecord('tasks', row))),
  }
}
