import { eventTypes } from '@crmkit/core/vocabulary'
import { decodeEventPosition, encodeEventPosition } from '../../ports/event-position.ts'
import type { TenantId } from '../../ports/records.ts'
import { InvalidCursor, type TenantStore } from '../../ports/storage.ts'
import { type EventRow, eventColumns, toEvent, toLoggedEvent } from './event-rows.ts'
import type { Sql } from './sql.ts'

interface EventLogParts {
  sql: Sql
  tenantId: TenantId
  read<T>(query: () => T): Promise<T>
}

/** One arm for each type, so that the index gives the positions in order and a rare type costs no scan. */
function positionsOf(types: number, order: 'ASC' | 'DESC'): string {
  const arm = `SELECT position FROM (SELECT position FROM events
    WHERE tenant_id = @tenant AND type = ? AND position > ? ORDER BY position ${order} LIMIT ?)`
  return `${Array.from({ length: types }, () => arm).join(' UNION ALL ')} ORDER BY position ${order} LIMIT ?`
}

/**
 * A tenant's events. A position is the row's own number: there is one writer at a time and it gives them inside
 * its transaction, so that whoever sees one sees every lower one.
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
        return row && toEvent(row)
      }),
    read: async ({ after, types, limit }) => {
      const start = after === undefined ? 0 : decodeEventPosition(after)
      if (types.length === 0) return []
      const text = `SELECT ${eventColumns} FROM events WHERE tenant_id = @tenant AND position IN (${positionsOf(types.length, 'ASC')}) ORDER BY position`
      const bound = types.flatMap((type) => [type, start, limit])
      return read(() => {
        const rows = scoped.all<EventRow>(text, ...bound, limit)
        if (rows.length === 0 && start > lastGiven()) {
          throw new InvalidCursor('the position was not given out by this log')
        }
        return rows.map(toLoggedEvent)
      })
    },
    newestPosition: () =>
      read(() => {
        const bound = eventTypes.flatMap((type) => [type, 0, 1])
        const text = positionsOf(eventTypes.length, 'DESC')
        const newest = scoped.get<{ position: number }>(text, ...bound, 1)
        return newest && encodeEventPosition(newest.position)
      }),
  }
}
