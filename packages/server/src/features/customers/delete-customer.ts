import { type deleteCustomer, makeEvent, notFound } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { externalLinkId } from '../../storage/rules/external-ids.ts'
import type { Handler } from '../handler.ts'
import { addressErasures } from './address-erasures.ts'

export const handleDeleteCustomer: Handler<typeof deleteCustomer> = async (
  { store, ids, now, tenantId },
  { params: { id } },
) => {
  const customer = await store.customers.find(id)
  if (customer === undefined) throw notFound()
  const links = await removedLinks(store, customer.externalIds)
  const addresses = await addressErasures({ store, ids, now, tenantId }, customer)
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'customer.deleted',
    now,
    subjects: [id],
    data: { _id: id },
  })
  return {
    change: {
      writes: [...links, ...addresses, { op: 'erase', kind: 'customers', id, at: now }],
      events: [event],
    },
    audit: { action: 'customer.deleted', target: { type: 'customer', _id: id } },
    reply: { success: true, message: 'Customer deleted' },
  }
}

/**
 * Returns the writes that free external ids in this very commit and not with the rest of the erasure. An id that an import
 * gave has no link of this kind.
 */
async function removedLinks(store: TenantStore, externalIds: readonly string[]): Promise<Write[]> {
  const links = await Promise.all(externalIds.map((text) => store.externalLinks.find(externalLinkId(text))))
  return links.flatMap((link) => (link ? [removalOf('externalLinks', link)] : []))
}
