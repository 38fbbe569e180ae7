import type { CreateView, UpdateView, View } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/v1/views'
const one = `${path}/{id}`

/** Returns the saved views of the team and one's own, by their names. */
export function readViews({ requester }: Crm): Promise<View[]> {
  return requester.list<View>({ method: 'GET', path }, { query: { limit: 100 } }).toArray()
}

export function createView({ requester }: Crm, body: CreateView): Promise<View> {
  return requester.call<View>({ method: 'POST', path }, { body })
}

export function updateView({ requester }: Crm, id: string, body: UpdateView): Promise<View> {
  return requester.call<View>({ method: 'PUT', path: one }, { params: [id], body })
}

export async function deleteView({ requester }: Crm, id: string): Promise<void> {
  await requester.call({ method: 'DELETE', path: one, isMessage: true }, { params: [id] })
}
