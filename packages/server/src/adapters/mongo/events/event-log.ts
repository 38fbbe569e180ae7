import { eventTypes } from '@crmkit/core/vocabulary'
import type { TenantStore } from '../../../ports/storage.ts'
import { InvalidCursor } from '../../../storage/errors.ts'
import { decodeEventPosition, encodeEventPosition } from '../../../storage/event-position.ts'
import type { EventRecord } from '../../../storage/kinds/events.ts'
import type { LoggedEvent } from '../../../storage/records.ts'
import type { CollectionAccess, Database, StoredRow } from '../connection/access.ts'
import { isOneOf, trusted } from '../connection/filters.ts'
import type { Gate } from '../connection/gate.ts'
import { withoutErased } from '../erasure/erasures.ts'
import { decodeRow } from '../rows/encode-row.ts'
import { readVisible } from './event-sequencer.ts'

const index = 'log'

interface EventLogParts {
  database: Database
  access: CollectionAccess
  gate: Gate
}

function toLoggedEvent({ row, keys }: StoredRow): LoggedEvent {
  return { ...decodeRow<EventRecord>(row), position: encodeEventPosition(Number(keys?.['position'])) }
}

/** Events get their positions nearly in the order of their times: two minutes are far more than the difference. */
const disorderMs = 120_000

/** A tenant's events. Events after the sequencer's `visible` position are not shown: their positions are still incomplete. */
export function createEventLog({ database, access, gate }: EventLogParts): TenantStore['events'] {
  return {
    find: (id) =>
      gate.pass(async () => {
        const rows = await access.find('events', access.one(id))
        const [event] = await withoutErased(
          access,
          rows.map(({ row }) => decodeRow<EventRecord>(row)),
        )
        return event
      }),
    read: ({ after, types, limit }) =>
      gate.pass(async () => {
        const start = after === undefined ? 0 : decodeEventPosition(after)
        if (types.length === 0) return []
        const visible = await readVisible(database)
        if (start > visible) throw new InvalidCursor('the position is not one of this log')
        const behind = { 'keys.position': trusted({ $gt: start, $lte: visible }) }
        const sort = { 'keys.position': 1 } as const
        const found = await access.find(
          'events',
          { ...isOneOf('row.type', types), ...behind },
          { sort, limit },
        )
        return withoutErased(access, found.map(toLoggedEvent))
      }),
    positionBefore: (timestamp) =>
      gate.pass(async () => {
        const time = new Date(Date.parse(timestamp) - disorderMs).toISOString()
        const filter = { 'row.timestamp': trusted({ $lt: time }), 'keys.position': trusted({ $gt: 0 }) }
        const sort = { 'row.timestamp': -1 } as const
        const [last] = await access.find('events', filter, { sort, limit: 1, fields: ['keys'] })
        return last && encodeEventPosition(Number(last.keys?.['position']))
      }),
    newestPosition: () =>
      gate.pass(async () => {
        const isVisible = { 'keys.position': trusted({ $gt: 0, $lte: await readVisible(database) }) }
        const sort = { 'keys.position': -1 } as const
        const filter = { ...isOneOf('row.type', eventTypes), ...isVisible }
        const [newest] = await access.find('events', filter, { sort, limit: 1, index, fields: ['keys'] })
        return newest && encodeEventPosition(Number(newest.keys?.['position']))
      }),
  }
}
