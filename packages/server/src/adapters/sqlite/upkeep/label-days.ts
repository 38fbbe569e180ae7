import type { Sql } from '../connection/sql.ts'
import { labelsOf } from '../lists/count-labels.ts'

const uses = 'conversation_label_uses'

export interface LabelDayRequest {
  /** The first tenant to look at. */
  from: string
  /** Only days before this one, `YYYY-MM-DD`. */
  before: string
}

/** Returns the first tenant, from this one on, with a day that is over and not counted, and the time of its first use. */
function findUncounted(
  sql: Sql,
  { from, before }: LabelDayRequest,
): { tenantId: string; at: string } | undefined {
  const nextTenant = `SELECT min(tenant_id) AS id FROM ${uses} WHERE tenant_id >= ?`
  const firstUse = `SELECT min(at) AS at FROM ${uses} WHERE tenant_id = @tenant AND label = '' AND at >= ifnull(
    (SELECT c.until FROM conversation_label_counted AS c WHERE c.tenant_id = @tenant), '')`
  let tenantId = sql.across.get<{ id: string | null }>(nextTenant, from)?.id
  while (tenantId) {
    const at = sql.tenant(tenantId).get<{ at: string | null }>(firstUse)?.at
    if (at && at < before) return { tenantId, at }
    // The text after an id is the id and the lowest character.
    tenantId = sql.across.get<{ id: string | null }>(nextTenant, `${tenantId}\u0001`)?.id
  }
  return undefined
}

/** Counts one day of one tenant; returns the tenant, null when no day is left. Runs inside the writer's transaction only. */
export function countLabelDay(sql: Sql, request: LabelDayRequest): string | null {
  const found = findUncounted(sql, request)
  if (found === undefined) return null
  const { tenantId, at } = found
  const day = at.slice(0, 10)
  // Behind every time of the day, and before the next day.
  const until = `${day}U`
  const scoped = sql.tenant(tenantId)
  const count = `SELECT u.used_by AS usedBy, count(*) AS count FROM ${uses} AS u
    WHERE u.tenant_id = @tenant AND u.label = ? AND u.at >= ? AND u.at < ? GROUP BY u.used_by`
  const add = `INSERT INTO conversation_label_days (tenant_id, used_by, label, day, count)
    VALUES (@tenant, ?, ?, ?, ?)`
  for (const label of labelsOf(scoped)) {
    const counts = scoped.all<{ usedBy: string; count: number }>(count, label, day, until)
    const total = counts.reduce((sum, one) => sum + one.count, 0)
    if (total > 0) scoped.run(add, '', label, day, total)
    for (const one of counts) if (one.usedBy !== '') scoped.run(add, one.usedBy, label, day, one.count)
  }
  scoped.run(
    'INSERT OR REPLACE INTO conversation_label_counted (tenant_id, until) VALUES (@tenant, ?)',
    until,
  )
  return tenantId
}
