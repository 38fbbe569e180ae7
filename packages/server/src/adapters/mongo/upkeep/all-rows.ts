import type { RowPage, RowPageQuery } from '../../../ports/system-store.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import { ifReadable } from '../../../storage/rules/readable-rows.ts'
import { pageBytesMax } from '../../../storage/transfer.ts'
import type { Database } from '../connection/access.ts'
import { toRecord } from '../tenant-store.ts'

export async function readAllRows<K extends Kind>(
  database: Database,
  { kind, tenantId, after: id, limit }: RowPageQuery<K>,
): Promise<RowPage<K>> {
  const bounds = { after: { tenantId, id }, rowsMax: limit, bytesMax: pageBytesMax }
  const page = await database.across().page(kind, bounds)
  // The last page of a tenant goes on into the rows of the next one.
  const found = page.filter((row) => row.tenantId === tenantId)
  const rows = found.flatMap((row) => ifReadable(() => toRecord(kind, row)))
  return { rows, damaged: found.length - rows.length, last: found.at(-1)?.id }
}
