import type { DomainEvent, EventType } from '@crmkit/core'
import { encodeEventPosition } from '../../../storage/event-position.ts'
import type { EventRecord } from '../../../storage/kinds/events.ts'
import type { LoggedEvent } from '../../../storage/records.ts'
import type { Sql } from '../connection/sql.ts'

export interface EventRow {
  position: number
  tenant_id: string
  id: string
  type: EventType
  timestamp: string
  subjects: string
  body: string
}

export const eventColumns = 'position, tenant_id, id, type, timestamp, subjects, body'

export function toEvent(row: EventRow): EventRecord {
  const subjects = JSON.parse(row.subjects) as string[]
  return {
    _id: row.id,
    tenantId: row.tenant_id,
    type: row.type,
    timestamp: row.timestamp,
    subjects,
    body: row.body,
  }
}

export function toLoggedEvent(row: EventRow): LoggedEvent {
  return { ...toEvent(row), position: encodeEventPosition(row.position) }
}

/** Inserts an event with the rows by which an erasure finds it: at its position, or at the end of the log. */
export function insertEvent(
  sql: Sql,
  tenantId: string,
  event: DomainEvent & { position?: number | null },
): void {
  const scoped = sql.tenant(tenantId)
  const { _id, type, timestamp, subjects, body } = event
  const { lastInsertRowid: position } = scoped.run(
    'INSERT INTO events (tenant_id, position, id, type, timestamp, subjects, body) VALUES (@tenant, ?, ?, ?, ?, ?, ?)',
    event.position ?? null,
    _id,
    type,
    timestamp,
    JSON.stringify(subjects),
    body,
  )
  for (const subject of new Set(subjects)) {
    const add = 'INSERT INTO event_subjects (tenant_id, subject, position) VALUES (@tenant, ?, ?)'
    scoped.run(add, subject, position)
  }
}
