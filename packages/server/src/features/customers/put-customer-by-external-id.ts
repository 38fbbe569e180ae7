import {
  assertCustomerNamed,
  conflict,
  externalIdText,
  newCustomer,
  type putCustomerByExternalId,
  updatedCustomer,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { findLink, givenLink } from '../../shared/given-link.ts'
import { externalLinkId } from '../../storage/external-ids.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import type { Stored } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'
import { changeCustomer } from './change-customer.ts'

/** Of several requests that find no customer, one creates the link. The others meet it when they run again. */
export const handlePutCustomerByExternalId: Handler<typeof putCustomerByExternalId> = async (
  ctx,
  { params, body },
) => {
  const { store, ids, now, tenantId } = ctx
  const externalId = externalIdText(params)
  const link = await findLink(store, externalLinkId(externalId))
  if (link && link.entityKind !== 'customers')
    throw conflict('An imported record that is no customer has this external id')
  const known = link && (await store.customers.find(link.entityId))
  if (known) return changeCustomer(ctx, known._id, (before) => updatedCustomer(before, body, now))
  const making = { id: ids.next('cus'), tenantId, now, eventId: ids.next('evt'), externalId }
  const { customer, event } = newCustomer(body, making)
  assertCustomerNamed(customer)
  const row = givenLink({ tenantId, customerId: customer._id, externalId, now })
  return {
    change: {
      writes: [{ op: 'insert', kind: 'customers', row: customer }, linkWrite(link, row)],
      events: [event],
    },
    reply: { success: true, data: customer },
  }
}

/** The customer of a link that is still there was removed: the link names the new one. */
function linkWrite(link: Stored<ImportLinkRecord> | undefined, row: ImportLinkRecord): Write {
  if (link === undefined) return { op: 'insert', kind: 'importLinks', row }
  const { _id: id, version: expectVersion } = link
  return { op: 'update', kind: 'importLinks', id, expectVersion, set: row }
}
