import { Failure, type IdFactory } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { assertUnmergeable, partedPair } from '../../shared/part-pair.ts'
import { nextReturn } from '../../shared/return-rows.ts'
import { externalLinkId } from '../../storage/external-ids.ts'
import type { CustomerMergeRecord } from '../../storage/kinds/customer-merges.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { Stored } from '../../storage/records.ts'
import { type Decided, nothing } from './decided.ts'
import { linksMadeBy, linkUpdate } from './undone-links.ts'

interface Context {
  store: TenantStore
  ids: IdFactory
  now: string
}

/** The version of a row that was just inserted. */
const firstVersion = 1

/**
 * Returns the change that takes back the newest merge that a run made because two people are one at its source, or one page of it; undefined
 * where none is left. A merge that cannot be taken back stays, with the reason.
 */
export async function undoneMerge(
  ctx: Context,
  { _id: runId }: ImportRunRecord,
): Promise<Decided | undefined> {
  const { store } = ctx
  const newest = { undoneWith: runId, sort: '-createdAt', page: 1, limit: 1 } as const
  const [merge] = (await store.customerMerges.listRows(newest)).rows
  if (merge === undefined) return undefined
  const target = await store.customers.find(merge.customerId)
  const returned = await returnedPage(ctx, { merge, target })
  if (returned !== undefined) return returned
  if (target === undefined || merge.state === 'returning') return left(merge, 'one of both was deleted since')
  try {
    assertUnmergeable(merge, { target, now: ctx.now })
  } catch (error) {
    if (error instanceof Failure) return left(merge, error.message)
    throw error
  }
  const { sourceId } = merge
  const parted = await partedPair({ ...ctx, tenantId: store.tenantId }, { target, merge })
  const audit: Write = {
    op: 'insert',
    kind: 'auditLog',
    row: {
      _id: ctx.ids.next('aud'),
      tenantId: store.tenantId,
      at: ctx.now,
      actor: { type: 'system', _id: null },
      action: 'customer.unmerged',
      target: { type: 'customer', _id: target._id },
      reason: `took ${sourceId} back, by the undo of an import`,
      changed: parted.changed,
      requestId: null,
    },
  }
  const links = await linksOfRun(store, { runId, target, merge })
  const isLink = new Set(links.map((write) => ('id' in write ? write.id : '')))
  const others = parted.writes.filter((write) => !('id' in write && isLink.has(write.id)))
  return {
    ...nothing,
    writes: [...others, ...links, audit],
    events: parted.events,
    restored: 1,
    kept: rowsOf(merge, parted.kept.rows),
  }
}

interface Returning {
  merge: Stored<CustomerMergeRecord>
  target: CustomerRecord | undefined
}

/** A task moves these pages too. The undo does not wait for it: rows that the run made are removed once all are back. */
async function returnedPage(ctx: Context, { merge, target }: Returning): Promise<Decided | undefined> {
  const { unmerging = null } = target ?? {}
  const other = unmerging === null ? merge : await ctx.store.customerMerges.find(unmerging)
  const returned = other && (await nextReturn(ctx, other))
  if (other === undefined || returned === undefined) return undefined
  const { writes, events, kept } = returned
  return { ...nothing, writes, events, kept: rowsOf(other, kept) }
}

function rowsOf({ customerId }: CustomerMergeRecord, ids: readonly string[]): Decided['kept'] {
  const message = 'belongs to somebody else since'
  return ids.map((id) => ({
    module: 'conversations',
    externalId: null,
    customerId,
    message: `${id} ${message}`,
  }))
}

function left(merge: Stored<CustomerMergeRecord>, reason: string): Decided {
  const { _id: id, version: expectVersion, customerId } = merge
  const set = { runId: null }
  const message = `stays merged: ${reason}`
  return {
    ...nothing,
    writes: [{ op: 'update', kind: 'customerMerges', id, expectVersion, set }],
    kept: [{ module: 'customers', externalId: null, customerId, message }],
  }
}

interface Parting {
  runId: string
  target: Stored<CustomerRecord>
  merge: CustomerMergeRecord
}

/** Returns the writes that let the undo find the rows of both customers that its own run made, as the run has left them. */
async function linksOfRun(store: TenantStore, { runId, target, merge }: Parting): Promise<Write[]> {
  const { sourceId, isOfRun = false } = merge
  const ofSource = new Set((merge.kept?.source.externalIds ?? []).map(externalLinkId))
  const links = await linksMadeBy(store, runId, target)
  return links.flatMap((link) => {
    if (ofSource.has(link._id)) {
      const rowVersion = isOfRun ? firstVersion : 0
      return [linkUpdate(link, { customerId: sourceId, entityId: sourceId, lastRunId: runId, rowVersion })]
    }
    const isSame = link.lastRunId === runId && link.rowVersion === target.version
    return isSame ? [linkUpdate(link, { rowVersion: target.version + 1 })] : []
  })
}
