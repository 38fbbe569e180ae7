import type { RetentionBounds } from '../../../ports/system-store.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { endingKinds } from '../../../storage/kinds/derive.ts'
import type { Sql } from '../connection/sql.ts'
import { snakeCase, tableOf } from '../rows/kinds.ts'
import type { RowWriter } from '../rows/row-writer.ts'

interface Bound {
  /** Rows that ended before this moment are deleted. */
  before: string
  limit: number
}
/** Deletes at most `limit` rows; returns how many. */
type RemoveBatch = (bound: Bound) => number

function removeRows(
  sql: Sql,
  rows: RowWriter,
  { kind, column: name }: ReturnType<typeof endingKinds>[number],
): RemoveBatch {
  const column = snakeCase(name)
  return ({ before, limit }) => {
    const found = sql.across.all<{ tenant_id: string; id: string }>(
      `SELECT tenant_id, id FROM ${tableOf(kind).table} WHERE ${column} <= ? ORDER BY ${column} LIMIT ?`,
      before,
      limit,
    )
    for (const { tenant_id: tenantId, id } of found) rows.remove({ tenantId, kind, id })
    return found.length
  }
}

/** Deletes old attempts. A pending attempt of an active webhook never expires: its receiver may have been down. */
function removeAttempts(sql: Sql): RemoveBatch {
  return ({ before, limit }) =>
    sql.across.run(
      `DELETE FROM attempts WHERE n IN (
         SELECT a.n FROM attempts a WHERE a.created_at < ? AND (a.status <> 'pending' OR NOT EXISTS (
           SELECT 1 FROM webhooks w WHERE w.tenant_id = a.tenant_id AND w.id = a.webhook_id AND w.is_active = 1
         )) ORDER BY a.created_at LIMIT ?)`,
      before,
      limit,
    ).changes
}

function removeAttemptsOfRemovedWebhooks(sql: Sql): RemoveBatch {
  return ({ limit }) => {
    const webhook = sql.across.get<{ tenant_id: string; id: string }>(
      'SELECT tenant_id, id FROM removed_webhooks LIMIT 1',
    )
    if (!webhook) return 0
    const scoped = sql.tenant(webhook.tenant_id)
    const remove = 'DELETE FROM attempts WHERE tenant_id = @tenant AND webhook_id = ? LIMIT ?'
    const { changes } = scoped.run(remove, webhook.id, limit)
    if (changes < limit)
      scoped.run('DELETE FROM removed_webhooks WHERE tenant_id = @tenant AND id = ?', webhook.id)
    return changes
  }
}

interface StoredEvent {
  tenant_id: string
  position: number
  subjects: string
}

/** Deletes an event with the rows by which an erasure finds it. */
export function removeEvent(sql: Sql, { tenant_id, position, subjects }: StoredEvent): void {
  const scoped = sql.tenant(tenant_id)
  scoped.run('DELETE FROM events WHERE tenant_id = @tenant AND position = ?', position)
  const remove = 'DELETE FROM event_subjects WHERE tenant_id = @tenant AND subject = ? AND position = ?'
  for (const subject of JSON.parse(subjects) as string[]) scoped.run(remove, subject, position)
}

/** Deletes old events, except those that a pending attempt needs. */
function removeEvents(sql: Sql): RemoveBatch {
  return ({ before, limit }) => {
    const found = sql.across.all<StoredEvent>(
      `SELECT e.tenant_id, e.position, e.subjects FROM events e WHERE e.timestamp < ? AND NOT EXISTS (
         SELECT 1 FROM attempts a WHERE a.tenant_id = e.tenant_id AND a.event_id = e.id AND a.status = 'pending'
       ) ORDER BY e.timestamp LIMIT ?`,
      before,
      limit,
    )
    for (const event of found) removeEvent(sql, event)
    return found.length
  }
}

/** Requests wait for the writer: it takes rows in slices, and begins no further one after this time. */
const sliceRows = 50
const sliceMs = 10

/**
 * Deletes rows whose retention period is over, in the writer's transaction; returns how many, and zero only when none is
 * left and the file is as small as it should be.
 */
export function createRetention(sql: Sql, rows: RowWriter, shrink: () => number) {
  const ended = endingKinds().map((one) => removeRows(sql, rows, one))
  const logs = [removeAttemptsOfRemovedWebhooks(sql), removeAttempts(sql), removeEvents(sql)]
  return ({ now, logsBefore, limit }: RetentionBounds): number => {
    const endsAt = performance.now() + sliceMs
    let removed = 0
    const removeSlices = (remove: RemoveBatch, before: string) => {
      while (removed < limit && (removed === 0 || performance.now() < endsAt)) {
        const most = Math.min(sliceRows, limit - removed)
        const count = remove({ before, limit: most })
        removed += count
        if (count < most) return
      }
    }
    for (const remove of ended) removeSlices(remove, now)
    passFaultPoint('during-retention')
    for (const remove of logs) removeSlices(remove, logsBefore)
    return removed === 0 ? shrink() : removed
  }
}
