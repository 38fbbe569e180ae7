import type { getCustomerNote, listCustomerNotes } from '@crmkit/core'
import { pageReply } from '../../../shared/reply-page.ts'
import type { Handler } from '../../handler.ts'
import { assertCustomer, getNote } from './find-note.ts'

export const handleListCustomerNotes: Handler<typeof listCustomerNotes> = async (
  { store },
  { params: { id }, query },
) => {
  // The page comes first: an invalid cursor is reported before an unknown customer.
  const page = await store.customerNotes.list({ ...query, customerId: id, sort: '-createdAt' })
  await assertCustomer(store, id)
  return { reply: pageReply(page, query) }
}

export const handleGetCustomerNote: Handler<typeof getCustomerNote> = async ({ store }, { params }) => ({
  reply: { success: true, data: await getNote(store, params) },
})
