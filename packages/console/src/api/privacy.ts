import type {
  DeletionRequest,
  DeletionStatus,
  PrivacyRequest,
  PrivacyRequestsListQuery,
  RejectPrivacyRequest,
  RequestAccess,
  RequestRectification,
} from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's classes of the areas, as `doors.ts` says.
const own = '/api/data-privacy'
const ofTeam = '/api/tenant/privacy-requests'
const deletion = `${own}/deletion-request`

export function downloadOwnData({ requester }: Crm, format: 'json' | 'csv'): Promise<Response> {
  return requester.download({ method: 'GET', path: `${own}/export` }, { query: { format } })
}

/** Returns the latest request of the person to be erased; null: there is none. */
export async function readOwnDeletion({ requester }: Crm): Promise<DeletionRequest | null> {
  const route = { method: 'GET', path: `${deletion}/status`, isMessage: true } as const
  return (await requester.call<DeletionStatus>(route, {})).request ?? null
}

export async function requestDeletion({ requester }: Crm, reason: string | null): Promise<void> {
  await requester.call({ method: 'POST', path: deletion, isMessage: true }, { body: { reason } })
}

export async function cancelDeletion({ requester }: Crm): Promise<void> {
  await requester.call({ method: 'POST', path: `${deletion}/cancel`, isMessage: true }, {})
}

export type OwnRequestType = 'access' | 'rectification' | 'restriction' | 'objection'

/** A correction has fields of its own, all others have those of an access. */
export async function requestOwn(
  { requester }: Crm,
  type: OwnRequestType,
  body: RequestAccess | RequestRectification,
): Promise<void> {
  await requester.call({ method: 'POST', path: `${own}/${type}-request`, isMessage: true }, { body })
}

export interface PrivacyPage {
  readonly data: readonly PrivacyRequest[]
  readonly hasMore: boolean
}

/** Returns the requests of the team of one page: open ones first, and of these the overdue ones. */
export async function readPrivacyRequests(
  { requester }: Crm,
  query: PrivacyRequestsListQuery,
): Promise<PrivacyPage> {
  return await requester.list<PrivacyRequest>({ method: 'GET', path: ofTeam }, { query })
}

export function decidePrivacyRequest(
  { requester }: Crm,
  id: string,
  decision:
    | { readonly to: 'approve' | 'complete'; readonly body: { readonly notes: string | null } }
    | { readonly to: 'reject'; readonly body: RejectPrivacyRequest },
): Promise<PrivacyRequest> {
  const { to, body } = decision
  return requester.call<PrivacyRequest>(
    { method: 'POST', path: `${ofTeam}/{id}/${to}` },
    { params: [id], body },
  )
}
