import type { CreatedCustomer, CustomerNote, CustomersListQuery, ListedCustomer } from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/v1/customers'
const list = { method: 'GET', path } as const
const bulk = { method: 'POST', path: `${path}/bulk` } as const
const notes = { method: 'GET', path: `${path}/{id}/notes` } as const
const addNote = { method: 'POST', path: `${path}/{id}/notes` } as const
const changeNote = { method: 'PUT', path: `${path}/{id}/notes/{noteId}` } as const
const deleteNote = { method: 'DELETE', path: `${path}/{id}/notes/{noteId}`, isMessage: true } as const

export interface CustomerPage {
  readonly customers: readonly ListedCustomer[]
  readonly total: number
  readonly hasMore: boolean
}

const pageSize = 50

export async function readCustomers(
  { requester }: Crm,
  filter: CustomersListQuery,
  page: number,
): Promise<CustomerPage> {
  const query = { ...filter, page, limit: pageSize, include: 'openConversations' }
  const { data, total, hasMore } = await requester.list<ListedCustomer>(list, { query })
  return { customers: data, total, hasMore }
}

/** At most 100 customers. */
export function changeTags(
  { requester }: Crm,
  body: { ids: readonly string[]; addTags?: readonly string[]; removeTags?: readonly string[] },
): Promise<CreatedCustomer[]> {
  return requester.call<CreatedCustomer[]>(bulk, { body })
}

export async function readNotes({ requester }: Crm, id: string): Promise<readonly CustomerNote[]> {
  const { data } = await requester.list<CustomerNote>(notes, { params: [id], query: { limit: 100 } })
  return data
}

export function writeNote({ requester }: Crm, id: string, content: string): Promise<CustomerNote> {
  return requester.call<CustomerNote>(addNote, { params: [id], body: { content } })
}

export function rewriteNote(
  { requester }: Crm,
  { _id, customerId, version }: CustomerNote,
  content: string,
): Promise<CustomerNote> {
  const body = { content, expectedVersion: version }
  return requester.call<CustomerNote>(changeNote, { params: [customerId, _id], body })
}

export async function removeNote({ requester }: Crm, { _id, customerId }: CustomerNote): Promise<void> {
  await requester.call(deleteNote, { params: [customerId, _id] })
}
