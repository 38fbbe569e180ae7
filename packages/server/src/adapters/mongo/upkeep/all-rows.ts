import type { RowPage, RowPageQuery } from '../../../ports/system-store.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import { ifReadable } from '../../../storage/rules/readable-rows.ts'
import type { Database } from '../connection/access.ts'
import { toRecord } from '../tenant-store.ts'

export async function readAllRows<K extends Kind>(
  database: Database,
  { kind, tenantId, after, limit }: RowPageQuery<K>,
): Promise<RowPage<K>> {
  const found = await database.tenant(tenantId).find(kind, {}, { after, sort: { _id: 1 }, limit })
  const rows = found.flatMap((row) => ifReadable(() => toRecord(kind, row)))
  return { rows, damaged: found.length - rows.length, last: found.at(-1)?.id }
}
