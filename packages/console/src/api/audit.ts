import type { AuditEntry } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const route = { method: 'GET', path: '/api/tenant/audit-log' } as const

export interface AuditPage {
  readonly data: readonly AuditEntry[]
  /** Null: there is no older page. */
  readonly nextCursor: string | null
}

/** Returns the newest entries, or those behind a cursor. */
export async function readAuditLog({ requester }: Crm, cursor: string | undefined): Promise<AuditPage> {
  const query = { limit: 50, ...(cursor !== undefined && { cursor }) }
  return await requester.list<AuditEntry>(route, { query })
}
