import { lastOwnerStays } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'

/**
 * Returns a patch that changes nothing but makes the commit conflict when the remaining owner is deleted or changed at
 * the same time. Throws INVALID_STATE when no other owner exists.
 */
export async function otherOwnerGuard(store: TenantReads, id: string): Promise<Write<'users'>> {
  const other = await store.users.findOther({ role: 'owner', except: id })
  if (other === undefined) throw lastOwnerStays()
  return { op: 'patch', kind: 'users', id: other._id, when: { role: 'owner', isActive: true } }
}
