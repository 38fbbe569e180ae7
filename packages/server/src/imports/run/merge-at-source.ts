import { Failure, type IdFactory } from '@crmkit/core'
import type { SourceRecord } from '../../ports/connector.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { isGiven } from '../../shared/given-link.ts'
import { mergedPair } from '../../shared/merge-pair.ts'
import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import { externalLinkId } from '../../storage/external-ids.ts'
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
 * that is read again after a crash finds one customer. The undo of the run takes the merge back. A link that the source has
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
  const now = context.now()
  const { runId } = context
  const by = { runId, isOfRun: await isOfRun(store, source, runId) }
  const { writes, events, changed } = await mergedPair({ store, ids, now }, { target, source, by })
  const entry: AuditEntry = {
    _id: ids.next('aud'),
    tenantId: target.tenantId,
    at: now,
    actor: { type: 'system', _id: null },
    action: 'customer.merged',
    target: { type: 'customer', _id: target._id },
    reason: `merged from ${source._id}, as at the source of an import`,
    changed,
    requestId: null,
  }
  await store.commit({ writes: [...writes, { op: 'insert', kind: 'auditLog', row: entry }], events })
}

/** Whether the run has made the customer, and nobody has changed it since. */
async function isOfRun(
  store: TenantStore,
  { externalIds, version }: Stored<CustomerRecord>,
  runId: string,
): Promise<boolean> {
  const links = await Promise.all(externalIds.map((id) => store.importLinks.find(externalLinkId(id))))
  return links.some(
    (link) => link?.madeBy === runId && link.lastRunId === runId && link.rowVersion === version,
  )
}
