import type { EventType } from '@crmkit/core'
import type { EventRecord } from '../../ports/records.ts'

export interface EventRow {
  tenant_id: string
  id: string
  type: EventType
  timestamp: string
  subjects: string
  body: string
}

export const eventColumns = 'tenant_id, id, type, timestamp, subjects, body'

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
