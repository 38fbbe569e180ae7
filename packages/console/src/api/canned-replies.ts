import type { CannedReply, CreateCannedReply, RenderedReply, UpdateCannedReply } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/v1/canned-replies'
const one = `${path}/{id}`

/** Returns the canned replies of the team and one's own that an inbox is offered. */
export async function readCannedReplies({ requester }: Crm, inboxId: string): Promise<CannedReply[]> {
  const all = await requester.list<CannedReply>({ method: 'GET', path }, { query: { limit: 100 } }).toArray()
  return all.filter(({ inboxIds }) => inboxIds.length === 0 || inboxIds.includes(inboxId))
}

/** Returns the text of a canned reply with the values of a conversation. */
export function renderCannedReply(
  { requester }: Crm,
  id: string,
  conversationId: string,
): Promise<RenderedReply> {
  const route = { method: 'POST', path: `${one}/render` } as const
  return requester.call<RenderedReply>(route, { params: [id], body: { conversationId } })
}

export function createCannedReply({ requester }: Crm, body: CreateCannedReply): Promise<CannedReply> {
  return requester.call<CannedReply>({ method: 'POST', path }, { body })
}

export function updateCannedReply(
  { requester }: Crm,
  id: string,
  body: UpdateCannedReply,
): Promise<CannedReply> {
  return requester.call<CannedReply>({ method: 'PUT', path: one }, { params: [id], body })
}

export async function deleteCannedReply({ requester }: Crm, id: string): Promise<void> {
  await requester.call({ method: 'DELETE', path: one, isMessage: true }, { params: [id] })
}
