import type { SourceModule } from '../../ports/connector.ts'
import { isGiven } from '../../shared/given-link.ts'
import { readAll } from '../../shared/read-all.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import { linkIdOf } from './import-context.ts'
import type { PagePlan } from './page-plan.ts'
import { undoIdOf } from './page-plan.ts'

const linksPerPage = 200

/**
 * Marks the links of records that were deleted at the source. Nothing is erased: a customer who is active becomes
 * archived when no other record stands for them, all other rows stay as they are. Returns how many records were known.
 */
export async function planDeleted(
  plan: PagePlan,
  module: SourceModule,
  records: readonly { id: string; deletedAt: string | null }[],
): Promise<number> {
  const { context, set, now } = plan
  const idOf = (id: string) => linkIdOf(context, { module, id })
  await set.load(
    'importLinks',
    records.map(({ id }) => idOf(id)),
  )
  // A record that was deleted, restored and deleted again is in the list twice.
  const latest = new Map(records.map((record) => [record.id, record]))
  const known = [...latest.values()].flatMap((record) => {
    const link = set.find('importLinks', idOf(record.id))
    return link && !isGiven(link) && link.deletedAt === null && !isNewer(link, record)
      ? [{ record, link }]
      : []
  })
  for (const [kind, of] of Map.groupBy(known, ({ link }) => link.entityKind)) {
    const ids = of.map(({ link }) => link.entityId)
    await set.load(kind, ids)
    await set.load(
      'importUndo',
      ids.map((id) => undoIdOf({ runId: context.runId, kind, id })),
    )
  }
  const archived = await archiveCustomers(
    plan,
    known.map(({ link }) => link),
  )
  for (const { record, link } of known) {
    const isArchived = link.entityKind === 'customers' && archived.has(link.entityId)
    set.put('importLinks', {
      ...link,
      deletedAt: record.deletedAt ?? now,
      importedValues: isArchived ? { ...link.importedValues, status: 'archived' } : link.importedValues,
      lastRunId: context.runId,
      rowVersion: set.versionAfter(link.entityKind, link.entityId),
      updatedAt: now,
    })
  }
  plan.keepLinksForUndo()
  return known.length
}

/** Archives the active customers of these links for whom no other record stands. Returns their ids. */
async function archiveCustomers(
  plan: PagePlan,
  links: readonly ImportLinkRecord[],
): Promise<ReadonlySet<string>> {
  const { context, set, now } = plan
  const gone = new Set(links.map(({ _id }) => _id))
  const ids = links.filter(({ entityKind }) => entityKind === 'customers').map(({ entityId }) => entityId)
  const archived = new Set<string>()
  for (const id of new Set(ids)) {
    const customer = set.find('customers', id)
    if (customer?.status !== 'active') continue
    const others = await otherLinks(plan, { customer, gone })
    if (others.some(({ deletedAt }) => deletedAt === null)) continue
    archived.add(id)
    set.put('customers', { ...customer, status: 'archived', updatedAt: now })
    const owners = { customerId: id, conversationId: null }
    plan.keepForUndo({ kind: 'customers', id, before: { status: 'active' } }, owners)
    // Whichever record is back first makes the customer active again.
    const rowVersion = set.versionAfter('customers', id)
    for (const other of others) {
      const importedValues = { ...other.importedValues, status: 'archived' }
      set.put('importLinks', {
        ...other,
        importedValues,
        lastRunId: context.runId,
        rowVersion,
        updatedAt: now,
      })
    }
  }
  return archived
}

/** Returns the links of the other records that stand for a customer, but for those of this page. */
async function otherLinks(
  { context, set }: PagePlan,
  { customer, gone }: { customer: CustomerRecord; gone: ReadonlySet<string> },
): Promise<ImportLinkRecord[]> {
  const { _id: customerId } = customer
  const ids: string[] = []
  const links = readAll<ImportLinkRecord>((cursor) =>
    context.store.importLinks.listRows({ customerId, page: 1, limit: linksPerPage, cursor }),
  )
  for await (const link of links) {
    if (link.entityKind === 'customers' && !isGiven(link) && !gone.has(link._id)) ids.push(link._id)
  }
  await set.load('importLinks', ids)
  return ids.flatMap((id) => set.find('importLinks', id) ?? [])
}

/** Returns whether the record was read in a state after its deletion: it is back. */
function isNewer(
  { externalModifiedAt }: ImportLinkRecord,
  { deletedAt }: { deletedAt: string | null },
): boolean {
  return externalModifiedAt !== null && deletedAt !== null && externalModifiedAt > deletedAt
}
