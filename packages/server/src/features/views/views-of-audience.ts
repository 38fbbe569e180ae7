import { conflict, ownViewsMax, sharedViewsMax } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { teamOfViews, type ViewRecord } from '../../storage/kinds/views.ts'
import type { Stored } from '../../storage/records.ts'

/** Returns the views of the team, or those of one user alone. */
export async function viewsOfAudience(store: TenantReads, audience: string): Promise<Stored<ViewRecord>[]> {
  const { rows } = await store.views.listRows({ audience, page: 1, limit: sharedViewsMax })
  return rows
}

/** Returns a place that no other view of the audience has. Throws CONFLICT when it has as many as it may have. */
export async function freeSlot(
  store: TenantReads,
  { isShared, ownerId }: Pick<ViewRecord, 'isShared' | 'ownerId'>,
): Promise<number> {
  const limit = isShared ? sharedViewsMax : ownViewsMax
  const rows = await viewsOfAudience(store, isShared ? teamOfViews : (ownerId ?? teamOfViews))
  const used = new Set(rows.map(({ slot }) => slot))
  for (let slot = 0; slot < limit; slot++) if (!used.has(slot)) return slot
  const whose = isShared ? 'The team has' : 'You have'
  throw conflict(`${whose} ${limit} views already: delete one first`, { limit })
}
