import { customerEvent, Failure, type IdFactory, mergedCustomer } from '@crmkit/core'
import type { SourceRecord } from '../../ports/connector.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { absorbCustomer, pastOf } from '../../shared/absorb-customer.ts'
import { assertNotReturning } from '../../shared/customer-merges.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { isGiven } from '../../shared/given-link.ts'
import { fieldsToSet } from '../../shared/last-contact.ts'
import { mergedAddresses } from '../../shared/merge-addresses.ts'
import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import type { AuditEntry } from '../../storage/kinds/audit-log.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import type { Stored } from '../../storage/records.ts'
import { type ImportContext, linkIdOf } from '../plan/import-context.ts'
import { kindOf } from '../rules/record-drafts.ts'

const triesMax = 3

interface Merging {
  store: TenantStore
  ids: IdFactory
  context: ImportContext
}

/**
 * Merges the customers of people who are one at their source now, each pair in a commit of its own before the page that names them: a page
 * that is read again after a crash finds one customer. The merge is final, because it is one at the source. A link that the source has
 * called deleted stays out: what an agent parted here since is not joined again.
 */
export async function mergeAtSource(merging: Merging, records: readonly SourceRecord[]): Promise<void> {
  if (merging.context.isDryRun) return
  for (const record of records) {
    if (kindOf(record.module) !== 'customers' || (record.mergedIds ?? []).length === 0) continue
    const [targetId, ...others] = await customersOf(merging, record)
    for (const sourceId of others)
      if (targetId !== undefined) await mergePair(merging, { targetId, sourceId })
  }
}

/** Returns the customers of a record and of its parts, that of the record first. */
async function customersOf({ store, context }: Merging, record: SourceRecord): Promise<string[]> {
  const { module, id, mergedIds = [] } = record
  const links: ImportLinkRecord[] = []
  for (const one of [id, ...mergedIds]) {
    const link = await store.importLinks.find(linkIdOf(context, { module, id: one }))
    if (link?.entityKind === 'customers' && !isGiven(link) && link.deletedAt === null) links.push(link)
  }
  return [...new Set(links.map(({ entityId }) => entityId))]
}

interface Pair {
  readonly targetId: string
  readonly sourceId: string
}

async function mergePair(merging: Merging, pair: Pair): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { store } = merging
    const [target, source] = await Promise.all([
      store.customers.find(pair.targetId),
      store.customers.find(pair.sourceId),
    ])
    if (target === undefined || source === undefined) return
    try {
      await commitMerge(merging, { target, source })
      return
    } catch (error) {
      // It is being parted from another customer here: the next run merges it.
      if (error instanceof Failure && error.code === 'INVALID_STATE') return
      const isConflict = error instanceof VersionConflict || error instanceof UniqueConflict
      if (!isConflict || tries >= triesMax) throw error
    }
  }
}

async function commitMerge(
  { store, ids, context }: Merging,
  { target, source }: { target: Stored<CustomerRecord>; source: Stored<CustomerRecord> },
): Promise<void> {
  assertNotReturning(source)
  const now = context.now()
  const { customer, changes } = mergedCustomer(customerOfRecord(target), customerOfRecord(source), { now })
  const { _id: id, tenantId } = customer
  const set: Partial<CustomerRecord> = {
    ...fieldsToSet(customer, target),
    ...pastOf(target, source),
    ...(target.profile.email === null && { typedEmail: source.typedEmail ?? null }),
  }
  const addresses = await mergedAddresses(store, { target, source, after: { ...target, ...set }, now })
  const event = { customer, changes, eventId: ids.next('evt'), now, mergedFrom: set.mergedFrom }
  const updated = customerEvent('customer.updated', event)
  const absorbed = await absorbCustomer({ store, ids, now, source, targetId: id })
  const entry: AuditEntry = {
    _id: ids.next('aud'),
    tenantId,
    at: now,
    actor: { type: 'system', _id: null },
    action: 'customer.merged',
    target: { type: 'customer', _id: id },
    reason: `merged from ${source._id}, as at the source of an import`,
    changed: Object.keys(changes),
    requestId: null,
  }
  await store.commit({
    writes: [
      {
        op: 'update',
        kind: 'customers',
        id,
        expectVersion: target.version,
        set: { ...set, ...addresses.set },
      },
      ...addresses.writes,
      ...absorbed.writes,
      { op: 'insert', kind: 'auditLog', row: entry },
    ],
    events: [updated, ...absorbed.events],
  })
}
