import type { TagCount } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const route = { method: 'GET', path: '/api/v1/analytics/tags' } as const
/** Before each conversation: without a range the service counts 30 days. */
const always = '1970-01-01'

/** Returns every label with the number of its conversations, the most frequent one first. */
export function readLabels({ requester }: Crm): Promise<TagCount[]> {
  return requester.call<TagCount[]>(route, { query: { startDate: always } })
}
