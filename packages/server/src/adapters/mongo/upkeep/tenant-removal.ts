import type { SystemStore } from '../../../ports/system-store.ts'
import type { Database } from '../connection/access.ts'
import { removeRows } from '../transfer/transfer-rows.ts'

/** Deletes the first rows of a tenant, with the rows that point to them; returns how many. */
export async function removeTenantRows(
  database: Database,
  { tenantId, kind, limit }: Parameters<SystemStore['removeTenantRows']>[0],
): Promise<number> {
  if (kind === 'eventSequence') return 0
  const found = await database
    .tenant(tenantId)
    .find(kind, {}, { sort: { _id: 1 }, limit, fields: ['tenantId', 'id'] })
  if (found.length > 0) await removeRows(database, kind, found)
  return found.length
}
