import type { TenantReads } from '../ports/storage.ts'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'
import type { Stored } from '../storage/records.ts'

/** Reads all pages: the list has the oldest inboxes last, and the default one is mostly the oldest; a tenant has few. */
export async function findDefaultInbox(store: TenantReads): Promise<Stored<InboxRecord> | undefined> {
  let cursor: string | undefined
  do {
    const page = await store.inboxes.listRows({ page: 1, limit: 100, cursor })
    const found = page.rows.find(({ isDefault }) => isDefault)
    if (found) return found
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return undefined
}
