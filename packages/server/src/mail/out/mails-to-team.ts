import { type IdFactory, isRoleAtLeast, type Role } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { readAll } from '../../shared/read-all.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import { type SystemMail, systemMailWrite } from './system-mail.ts'

/** A tenant with more of them knows whom to ask. */
const peopleMax = 20

export interface TeamMailParts {
  store: Pick<TenantReads, 'tenantId' | 'users'>
  secrets: SecretBox
  ids: IdFactory
  now: string
}

/** Returns the mails by the relay to each person of a tenant who signs in and has the role. */
export async function mailsToTeam(
  { store, secrets, ids, now }: TeamMailParts,
  { role, mailTo }: { role: Role; mailTo: (address: string) => SystemMail },
): Promise<Write[]> {
  const { tenantId } = store
  const writes: Write[] = []
  const users = readAll<UserRecord>((cursor) => store.users.listRows({ page: 1, limit: 100, cursor }))
  for await (const { email, role: own, isActive, identityId } of users) {
    if (!isActive || identityId === '' || !isRoleAtLeast(own, role)) continue
    writes.push(systemMailWrite(secrets, { _id: ids.next('sml'), tenantId, now, mail: mailTo(email) }))
    if (writes.length === peopleMax) break
  }
  return writes
}
