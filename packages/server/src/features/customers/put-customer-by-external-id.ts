import {
  assertCustomerNamed,
  conflict,
  externalIdText,
  newCustomer,
  type putCustomerByExternalId,
  updatedCustomer,
} from '@crmkit/core'
import type { TenantStore } from '../../ports/storage.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { Stored } from '../../storage/records.ts'
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
  const known = await findLinked(store, linkId)
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

/**
 * Returns the customer with this id in another system, whether an import or an earlier request gave it. Throws CONFLICT
 * where the id is that of an imported record which became no customer.
 */
async function findLinked(store: TenantStore, linkId: string): Promise<Stored<CustomerRecord> | undefined> {
  const [imported, given] = await Promise.all([
    store.importLinks.find(linkId),
    store.externalLinks.find(linkId),
  ])
  if (imported && imported.entityKind !== 'customers')
    throw conflict('An imported record that is no customer has this external id')
  const ids = [imported?.entityId, given?.customerId].filter((id) => id !== undefined)
  const found = await Promise.all(ids.map((id) => store.customers.find(id)))
  return found.find((customer) => customer !== undefined)
}
