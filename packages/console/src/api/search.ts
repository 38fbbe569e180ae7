import type { SearchResults } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const find = { method: 'GET', path: '/api/v1/search' } as const

/** Customers, conversations of every status, and messages. */
export async function searchEverything(
  { requester }: Crm,
  q: string,
  signal: AbortSignal,
): Promise<SearchResults> {
  return requester.call<SearchResults>(find, { query: { q, limit: 8 } }, { signal })
}
