import type { SourceModule } from '../../ports/connector.ts'
import { isGiven } from '../../shared/given-link.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import { linkIdOf } from './import-context.ts'
import type { PagePlan } from './page-plan.ts'
import { undoIdOf } from './page-plan.ts'

/**
 * Marks the links of records that were deleted at the source. Nothing is erased: a customer who is active becomes
 * archived, all other rows stay as they are. Returns how many records were known.
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
  for (const { record, link } of known) {
    const customer = link.entityKind === 'customers' ? set.find('customers', link.entityId) : undefined
    const isArchived = customer?.status === 'active'
    if (customer && isArchived) {
      set.put('customers', { ...customer, status: 'archived', updatedAt: now })
      const owners = { customerId: customer._id, conversationId: null }
      plan.keepForUndo({ kind: 'customers', id: customer._id, before: { status: 'active' } }, owners)
    }
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

/** Returns whether the record was read in a state after its deletion: it is back. */
function isNewer(
  { externalModifiedAt }: ImportLinkRecord,
  { deletedAt }: { deletedAt: string | null },
): boolean {
  return externalModifiedAt !== null && deletedAt !== null && externalModifiedAt > deletedAt
}
