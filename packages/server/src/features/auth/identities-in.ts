import type { SystemStore } from '../../ports/system-store.ts'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { Stored } from '../../storage/records.ts'

/** Returns the identities with which an e-mail, in any spelling, is a member of a tenant. */
export async function identitiesIn(
  system: Pick<SystemStore, 'listMembers' | 'findIdentity'>,
  member: { tenantId: string; email: string },
): Promise<Stored<Identity>[]> {
  const members = await system.listMembers(member)
  // Looked up without a member too, so that both cases take the same time.
  const ids = members.length === 0 ? [''] : members.map(({ user }) => user.identityId)
  const found = await Promise.all(ids.map((id) => system.findIdentity(id)))
  return found.filter((identity) => identity !== undefined)
}
