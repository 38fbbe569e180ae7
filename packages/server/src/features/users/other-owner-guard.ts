import { lastOwnerStays } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'

/**
 * Writes nothing, but makes the commit lose when the owner who would remain goes at the same time. Throws
 * INVALID_STATE when there is none.
 */
export async function otherOwnerGuard(store: TenantStore, id: string): Promise<Write<'users'>> {
  const other = await store.users.findOther({ role: 'owner', except: id })
  if (other === undefined) throw lastOwnerStays()
  return { op: 'patch', kind: 'users', id: other._id, when: { role: 'owner', isActive: true } }
}
