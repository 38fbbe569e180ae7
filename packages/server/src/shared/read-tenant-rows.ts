import type { RowPage, SystemStore } from '../ports/system-store.ts'
import type { Kind, Records } from '../storage/kinds/registry.ts'
import type { Stored, TenantId } from '../storage/records.ts'

const pageSize = 500

/** Reads all rows of a kind of a tenant in pages, also those that an erasure hides. */
export async function* readTenantRows<K extends Kind>(
  system: Pick<SystemStore, 'readRows'>,
  of: { kind: K; tenantId: TenantId },
): AsyncGenerator<Stored<Records[K]>> {
  for (let after = ''; ; ) {
    const page: RowPage<K> = await system.readRows({ ...of, after, limit: pageSize })
    yield* page.rows
    if (page.last === undefined) return
    after = page.last
  }
}
