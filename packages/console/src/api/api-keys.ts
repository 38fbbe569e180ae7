import type { ApiKey, ApiKeyUsage, CreateApiKey, CreatedApiKey } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/tenant/api-keys'
const one = `${path}/{id}`

export function readApiKeys({ requester }: Crm): Promise<ApiKey[]> {
  const route = { method: 'GET', path, rows: 'keys' } as const
  return requester.list<ApiKey>(route, { query: { limit: 100 } }).toArray()
}

export function createApiKey({ requester }: Crm, body: CreateApiKey): Promise<CreatedApiKey> {
  return requester.call<CreatedApiKey>({ method: 'POST', path }, { body })
}

/** Returns the requests of a key in this month. */
export function readApiKeyUsage({ requester }: Crm, id: string): Promise<ApiKeyUsage> {
  return requester.call<ApiKeyUsage>({ method: 'GET', path: `${one}/usage` }, { params: [id] })
}

export function revokeApiKey({ requester }: Crm, id: string): Promise<ApiKey> {
  return requester.call<ApiKey>({ method: 'POST', path: `${one}/revoke` }, { params: [id] })
}
