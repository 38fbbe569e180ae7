import type { Backlog } from '../../../ports/system-store.ts'
import type { Sql } from '../connection/sql.ts'

/** Counts waiting work by indexes, at most `limit` entries of each. */
export function measureBacklog(sql: Sql, limit: number): Backlog {
  const counted = (source: string) =>
    sql.across.get<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${source} LIMIT ?)`,
      limit,
    )?.count ?? 0
  const oldest = sql.across.get<{ at: string }>(
    "SELECT json_extract(doc, '$.requestedAt') AS at FROM tasks ORDER BY id, tenant_id LIMIT 1",
  )
  return {
    attempts: counted("attempts INDEXED BY attempts_queues WHERE status = 'pending'"),
    tasks: counted('tasks'),
    oldestTaskAt: oldest?.at ?? null,
    // Every commit gives its events their positions.
    unsequencedEvents: 0,
    oldestUnsequencedAt: null,
  }
}
