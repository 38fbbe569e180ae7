import { customerEvent } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import { customerOfRecord } from '../shared/customer-of-record.ts'
import { givenLink } from '../shared/given-link.ts'
import { removalOf } from '../shared/removal-of.ts'
import { externalLinkId } from '../storage/external-ids.ts'
import type { AuditEntry } from '../storage/kinds/audit-log.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { ExternalLinkRecord } from '../storage/kinds/external-links.ts'
import type { Stored } from '../storage/records.ts'
import { type Upgraded, type UpgradeReads, upgradeStep } from './upgrade-step.ts'

/** Moves the external ids that requests gave into the register of those that imports gave. */
export const externalLinksStep = upgradeStep({
  name: 'externalLinks',
  kind: 'externalLinks',
  since: '0.2.0',
  noted: 'had one external id, which the first one keeps: merge them when they are one person',
  needs: () => true,
  upgrade: moved,
})

async function moved(link: Stored<ExternalLinkRecord>, reads: UpgradeReads): Promise<Upgraded> {
  const { store } = reads
  const remove = removalOf('externalLinks', link)
  const customer = await store.customers.find(link.customerId)
  const externalId = customer?.externalIds.find((text) => externalLinkId(text) === link._id)
  // Nothing shows an id that its customer does not have.
  if (customer === undefined || externalId === undefined) return { writes: [remove] }
  const { _id: customerId, tenantId } = customer
  const known = await store.importLinks.find(link._id)
  if (known === undefined) {
    const row = givenLink({ tenantId, customerId, externalId, now: link.createdAt })
    return { writes: [remove, { op: 'insert', kind: 'importLinks', row }] }
  }
  if (known.customerId === customerId && known.entityId === customerId) return { writes: [remove] }
  return released(reads, { customer, externalId, remove, keeperId: known.customerId ?? known.entityId })
}

interface Released {
  customer: Stored<CustomerRecord>
  externalId: string
  remove: Write
  /** The customer of the imported record. */
  keeperId: string
}

/** A request gave the id to one customer, and an import made another one with it: the import's link stays. */
function released(
  { ids, now }: UpgradeReads,
  { customer: before, externalId, remove, keeperId }: Released,
): Upgraded {
  const { _id: id, tenantId, version: expectVersion } = before
  const externalIds = before.externalIds.filter((text) => text !== externalId)
  const customer = { ...customerOfRecord(before), externalIds, updatedAt: now }
  const changes = { externalIds: { from: before.externalIds, to: externalIds } }
  const entry: AuditEntry = {
    _id: ids.next('aud'),
    tenantId,
    at: now,
    actor: { type: 'system', _id: null },
    action: 'customer.externalIdReleased',
    target: { type: 'customer', _id: id },
    reason: `kept by ${keeperId}`,
    changed: ['externalIds'],
    requestId: null,
  }
  return {
    writes: [
      remove,
      { op: 'update', kind: 'customers', id, expectVersion, set: { externalIds, updatedAt: now } },
      { op: 'insert', kind: 'auditLog', row: entry },
    ],
    events: [customerEvent('customer.updated', { customer, changes, eventId: ids.next('evt'), now })],
    note: { kind: 'customers', ids: [keeperId, id] },
  }
}
