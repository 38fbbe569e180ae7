import type { AcrossReads, RowOfTenant, SystemStore } from '../../../ports/system-store.ts'
import { type Across, acrossLookups } from '../../../storage/kinds/derive.ts'
import type { AcrossName, KindAcross } from '../../../storage/kinds/registry.ts'
import type { TenantId } from '../../../storage/records.ts'
import { ifReadable } from '../../../storage/rules/readable-rows.ts'
import type { Database, FindOptions, RowRef, StoredRow } from '../connection/access.ts'
import { type Filter, isOneOf, trusted } from '../connection/filters.ts'
import type { Gate } from '../connection/gate.ts'
import { toRecord } from '../tenant-store.ts'

interface AcrossParts {
  database: Database
  gate: Gate
}

/** Reads the pointers of a declaration, then their rows. */
function readsOf({ database, gate }: AcrossParts, lookup: Across): AcrossReads<AcrossName> {
  const { name, kind, columns, isUnique } = lookup
  const across = database.across()
  const key = `keys.${columns[0]}`
  const order = [...columns.map((column) => `keys.${column}`), ...(isUnique ? [] : ['_id'])]
  const sort = Object.fromEntries(order.map((field) => [field, 1] as const))
  const ofRow = (row: StoredRow) =>
    ({ tenantId: row.tenantId, row: toRecord(kind, row) }) as RowOfTenant<KindAcross<AcrossName>>

  /** Returns the rows of these pointers, in their order, without rows that were deleted in the meantime. */
  async function follow(pointers: readonly RowRef[]): Promise<StoredRow[]> {
    const rows = await across.findByRefs(kind, pointers)
    return pointers.flatMap(
      ({ tenantId, id }) => rows.find((row) => row.tenantId === tenantId && row.id === id) ?? [],
    )
  }

  const list = (filter: Filter, limit?: number) =>
    gate.pass(async () => {
      const options: FindOptions = limit === undefined ? { sort } : { sort, limit }
      const rows = await follow(await across.find(name, filter, options))
      return rows.flatMap((row) => ifReadable(() => ofRow(row)))
    })
  return {
    find: (...values) =>
      gate.pass(async () => {
        const [row] = await follow(await across.find(name, isOneOf(key, values)))
        return row && ofRow(row)
      }),
    among: (values) =>
      gate.pass(async () => {
        if (values.length === 0) return []
        const pointers = await across.find(name, isOneOf(key, values))
        const rows = await across.findByRefs(kind, pointers)
        return rows.flatMap((row) => ifReadable(() => ofRow(row)))
      }),
    of: (value, limit) => list({ [key]: value }, limit),
    due: (now, limit) => list({ [key]: trusted({ $lte: now }) }, limit),
    behind: (value, limit) => list({ [key]: trusted({ $gt: value }) }, limit),
    first: (behind = '') =>
      gate.pass(async () => {
        const [found] = await across.find(name, { [key]: trusted({ $gt: behind }) }, { sort, limit: 1 })
        if (found === undefined) return undefined
        return { tenantId: found.tenantId as TenantId, columns: found.keys as Record<never, string> }
      }),
  }
}

export function createAcrossReads(parts: AcrossParts): SystemStore['across'] {
  const all = acrossLookups.map((lookup) => [lookup.name, readsOf(parts, lookup)] as const)
  return Object.fromEntries(all) as unknown as SystemStore['across']
}
