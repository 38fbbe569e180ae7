import { eventTypes } from '@crmkit/core/vocabulary'
import type { TenantStore } from '../../../ports/storage.ts'
import { InvalidCursor } from '../../../storage/errors.ts'
import { decodeEventPosition, encodeEventPosition } from '../../../storage/event-position.ts'
import type { TenantId } from '../../../storage/records.ts'
import type { Sql } from '../connection/sql.ts'
import { withoutErased } from '../erasure/erasures.ts'
import { type EventRow, eventColumns, toEvent, toLoggedEvent } from './event-rows.ts'

interface EventLogParts {
  sql: Sql
  tenantId: TenantId
  read<T>(query: () => T): Promise<T>
}

/** Returns a query with one arm for each type, so that the index gives positions in order and a rare type needs no scan. */
function positionsOf(types: number, order: 'ASC' | 'DESC'): string {
  const arm = `SELECT position FROM (SELECT position FROM events
    WHERE tenant_id = @tenant AND type = ? AND position > ? ORDER BY position ${order} LIMIT ?)`
  return `${Array.from({ length: types }, () => arm).join(' UNION ALL ')} ORDER BY position ${order} LIMIT ?`
}

/**
 * Returns the query of a page of the log. The join keeps its order: left to itself, the planner reads each event of the
 * tenant and asks whether its position is among those of the page.
 */
export function pageQuery(types: number): string {
  return `SELECT ${eventColumns} FROM (SELECT position AS page_position FROM (${positionsOf(types, 'ASC')}))
    CROSS JOIN events WHERE tenant_id = @tenant AND position = page_position ORDER BY position`
}

/** Events are committed nearly in the order of their times: a minute is far more than a request may take. */
const disorderMs = 60_000

/** Finds the position by binary search, without an index on times: positions and times rise together. */
function findPositionBefore(
  { sql, tenantId }: { sql: Sql; tenantId: TenantId },
  timestamp: string,
): string | undefined {
  const time = new Date(Date.parse(timestamp) - disorderMs).toISOString()
  const first = 'SELECT position, timestamp FROM events WHERE position > ? ORDER BY position LIMIT 1'
  let from = 0
  let to = sql.across.get<{ last: number | null }>('SELECT max(position) AS last FROM events')?.last ?? 0
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const next = sql.across.get<{ position: number; timestamp: string }>(first, middle)
    if (next === undefined || next.timestamp >= time) to = middle
    else from = next.position
  }
  const arm =
    'SELECT max(position) AS position FROM events WHERE tenant_id = @tenant AND type = ? AND position <= ?'
  const own = sql
    .tenant(tenantId)
    .all<{ position: number | null }>(
      eventTypes.map(() => arm).join(' UNION ALL '),
      ...eventTypes.flatMap((type) => [type, from]),
    )
  const last = Math.max(...own.map(({ position }) => position ?? 0))
  return last === 0 ? undefined : encodeEventPosition(last)
}

/**
 * A tenant's events. The position is the row's own number: the one writer assigns it inside its transaction, so a
 * reader that sees a position sees every lower one.
 */
export function createEventLog({ sql, tenantId, read }: EventLogParts): TenantStore['events'] {
  const scoped = sql.tenant(tenantId)
  const findText = `SELECT ${eventColumns} FROM events WHERE tenant_id = @tenant AND id = ?`
  const lastGiven = () =>
    sql.across.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'events'")?.seq ?? 0

  return {
    find: (id) =>
      read(() => {
        const row = scoped.get<EventRow>(findText, id)
        const [event] = withoutErased(scoped, row ? [row] : [])
        return event && toEvent(event)
      }),
    read: async ({ after, types, limit }) => {
      const start = after === undefined ? 0 : decodeEventPosition(after)
      if (types.length === 0) return []
      const text = pageQuery(types.length)
      const bound = types.flatMap((type) => [type, start, limit])
      return read(() => {
        const rows = scoped.all<EventRow>(text, ...bound, limit)
        if (rows.length === 0 && start > lastGiven()) {
          throw new InvalidCursor('the position is not one of this log')
        }
        return withoutErased(scoped, rows).map(toLoggedEvent)
      })
    },
    positionBefore: (timestamp) => read(() => findPositionBefore({ sql, tenantId }, timestamp)),
    newestPosition: () =>
      read(() => {
        const bound = eventTypes.flatMap((type) => [type, 0, 1])
        const text = positionsOf(eventTypes.length, 'DESC')
        const newest = scoped.get<{ position: number }>(text, ...bound, 1)
        return newest && encodeEventPosition(newest.position)
      }),
  }
}
