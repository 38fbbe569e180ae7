import {
  assertCustomerNamed,
  externalIdText,
  newCustomer,
  type putCustomerByExternalId,
  updatedCustomer,
} from '@crmkit/core'
import { externalLinkId } from '../../storage/rules/external-ids.ts'
import type { Handler } from '../handler.ts'
import { changeCustomer } from './change-customer.ts'

/** Of several requests that find no customer, one creates the link. The others meet it when they run again. */
export const handlePutCustomerByExternalId: Handler<typeof putCustomerByExternalId> = async (
  ctx,
  { params, body },
) => {
  const { store, ids, now, tenantId } = ctx
  const externalId = externalIdText(params)
  const linkId = externalLinkId(externalId)
  const link = await store.externalLinks.find(linkId)
  const known = link && (await store.customers.find(link.customerId))
  if (known) return changeCustomer(ctx, known._id, (before) => updatedCustomer(before, body, now))
  const making = { id: ids.next('cus'), tenantId, now, eventId: ids.next('evt'), externalId }
  const { customer, event } = newCustomer(body, making)
  assertCustomerNamed(customer)
  return {
    change: {
      writes: [
        { op: 'insert', kind: 'customers', row: customer },
        {
          op: 'insert',
          kind: 'externalLinks',
          row: { _id: linkId, tenantId, customerId: customer._id, createdAt: now },
        },
      ],
      events: [event],
    },
    reply: { success: true, data: customer },
  }
}
