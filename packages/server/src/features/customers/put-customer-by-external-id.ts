import {
  assertCustomerNamed,
  type Customer,
  conflict,
  externalIdText,
  newCustomer,
  type putCustomerByExternalId,
  type UpdateCustomerBody,
  updatedCustomer,
} from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import { findLink, givenLink } from '../../shared/given-link.ts'
import { externalLinkId } from '../../storage/external-ids.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import type { Stored } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { changeCustomer } from './change-customer.ts'

export const handlePutCustomerByExternalId: Handler<typeof putCustomerByExternalId> = async (
  ctx,
  { params, body },
) => {
  const { customer, change } = await putCustomer(ctx, externalIdText(params), body)
  return { ...(change && { change }), reply: { success: true, data: customer } }
}

interface PutOutcome {
  result: 'created' | 'updated' | 'unchanged'
  customer: Customer
  change?: Change
}

/**
 * Creates the customer with this external id, or changes the one who has it. Of several requests that find no customer, one
 * creates the link. The others meet it when they run again.
 */
export async function putCustomer(
  ctx: HandlerContext,
  externalId: string,
  body: UpdateCustomerBody,
): Promise<PutOutcome> {
  const { store, ids, now, tenantId } = ctx
  const link = await findLink(store, externalLinkId(externalId))
  if (link && link.entityKind !== 'customers')
    throw conflict('An imported record that is no customer has this external id')
  const known = link && (await store.customers.find(link.entityId))
  if (known) {
    const { change, reply } = await changeCustomer(ctx, known._id, (before) =>
      updatedCustomer(before, body, now),
    )
    return { result: change ? 'updated' : 'unchanged', customer: reply.data, ...(change && { change }) }
  }
  const making = { id: ids.next('cus'), tenantId, now, eventId: ids.next('evt'), externalId }
  const { customer, event } = newCustomer(body, making)
  assertCustomerNamed(customer)
  const row = givenLink({ tenantId, customerId: customer._id, externalId, now })
  const writes: Write[] = [{ op: 'insert', kind: 'customers', row: customer }, linkWrite(link, row)]
  return { result: 'created', customer, change: { writes, events: [event] } }
}

/** The customer of a link that is still there was removed: the link names the new one. */
function linkWrite(link: Stored<ImportLinkRecord> | undefined, row: ImportLinkRecord): Write {
  if (link === undefined) return { op: 'insert', kind: 'importLinks', row }
  const { _id: id, version: expectVersion } = link
  return { op: 'update', kind: 'importLinks', id, expectVersion, set: row }
}
