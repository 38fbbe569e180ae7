import type { AnalyticsConversationsQuery, ConversationFigures, UsageOfMonth } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/v1/analytics'

export type FigureGroup = NonNullable<AnalyticsConversationsQuery['groupBy']>

/** Days of the viewer's zone, as `2026-01-31`. */
export interface FigureRange {
  readonly startDate: string
  readonly endDate: string
  readonly timeZone: string
}

export function readFigures(
  { requester }: Crm,
  query: FigureRange & { readonly groupBy: FigureGroup },
): Promise<readonly ConversationFigures[]> {
  const route = { method: 'GET', path: `${path}/conversations` } as const
  return requester.call<readonly ConversationFigures[]>(route, { query: { ...query } })
}

/** Returns the requests of the last twelve months, the oldest month first. */
export function readUsageHistory({ requester }: Crm): Promise<readonly UsageOfMonth[]> {
  return requester.call<readonly UsageOfMonth[]>({ method: 'GET', path: `${path}/usage/history` }, {})
}
