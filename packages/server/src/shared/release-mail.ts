import { activeSending } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'
import type { Stored } from '../storage/records.ts'
import { doorWrites } from './note-door.ts'

/** Returns the writes that end the rest of an inbox. Only mail from now on counts for the next one. */
export async function releaseWrites(
  store: TenantReads,
  { _id: id, version: expectVersion }: Stored<InboxRecord>,
  now: string,
): Promise<Write[]> {
  const set = { sending: { ...activeSending, releasedAt: now }, updatedAt: now }
  return [
    { op: 'update', kind: 'inboxes', id, expectVersion, set },
    ...(await doorWrites(store, { door: 'rest', of: id }, { trouble: null, now })),
  ]
}
