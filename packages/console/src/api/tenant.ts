import type { Retention, RetentionPreview, Tenant, UpdateTenant } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/tenant'

/** Returns the team with the use of its quotas. */
export function readTenant({ requester }: Crm): Promise<Tenant> {
  return requester.call<Tenant>({ method: 'GET', path }, {})
}

/** An absent field keeps its value. */
export function updateTenant({ requester }: Crm, body: UpdateTenant): Promise<Tenant> {
  return requester.call<Tenant>({ method: 'PUT', path }, { body })
}

/** Counts what these months would remove; null keeps everything. */
export function previewRetention({ requester }: Crm, months: Retention): Promise<RetentionPreview> {
  const given = Object.entries(months).filter(([, value]) => value !== null)
  const route = { method: 'GET', path: `${path}/retention` } as const
  return requester.call<RetentionPreview>(route, { query: Object.fromEntries(given) })
}
