import type { EventType } from '@crmkit/core'
import { encodeEventPosition } from '../../ports/event-position.ts'
import type { EventRecord, LoggedEvent } from '../../ports/records.ts'

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
