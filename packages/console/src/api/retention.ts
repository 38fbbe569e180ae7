import type { Retention, RetentionPreview, Tenant } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/tenant'

export async function readRetention({ requester }: Crm): Promise<Retention> {
  return (await requester.call<Tenant>({ method: 'GET', path }, {})).retention
}

/** Counts what these months would remove; null keeps everything. */
export function previewRetention({ requester }: Crm, months: Retention): Promise<RetentionPreview> {
  const given = Object.entries(months).filter(([, value]) => value !== null)
  const route = { method: 'GET', path: `${path}/retention` } as const
  return requester.call<RetentionPreview>(route, { query: Object.fromEntries(given) })
}

export async function saveRetention({ requester }: Crm, retention: Retention): Promise<Retention> {
  return (await requester.call<Tenant>({ method: 'PUT', path }, { body: { retention } })).retention
}
