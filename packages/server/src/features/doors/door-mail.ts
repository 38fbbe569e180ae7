import { type IdFactory, isRoleAtLeast, partOfDoor } from '@crmkit/core'
import { ifWithinBudget, relayWrites } from '../../mail/out/outbound-budget.ts'
import { systemMailWrite } from '../../mail/out/system-mail.ts'
import type { Write } from '../../ports/change.ts'
import type { MailSettings } from '../../ports/mail-sender.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { readAll } from '../../shared/read-all.ts'
import type { DoorRecord } from '../../storage/kinds/doors.ts'
import type { TenantLimits } from '../../storage/kinds/tenants.ts'

/** A tenant with more admins knows whom to ask. */
const adminsMax = 20

export interface DoorMailParts {
  store: Pick<TenantStore, 'tenantId' | 'users' | 'outboundCounts' | 'inboxes'>
  mail: MailSettings
  secrets: SecretBox
  ids: IdFactory
  now: string
  tenantLimits: TenantLimits | undefined
}

/**
 * Returns the mails that tell admins that a door fails; none where the relay is not set up. A mail about the relay itself would wait
 * for the relay, so the console alone says that.
 */
export async function doorMailWrites(
  { store, mail: { relay, baseUrl }, secrets, ids, now, tenantLimits }: DoorMailParts,
  { row, name, usesRelay }: { row: DoorRecord; name: string; usesRelay: boolean },
): Promise<Write[]> {
  if (relay === undefined || usesRelay) return []
  const { tenantId, door, reason } = row
  const writes: Write[] = []
  const users = readAll((cursor) => store.users.list({ page: 1, limit: 100, cursor }))
  for await (const { email: to, role, isActive, identityId } of users) {
    if (!isActive || identityId === '' || !isRoleAtLeast(role, 'admin')) continue
    const mail = {
      purpose: 'doorFails',
      to,
      part: partOfDoor[door],
      name,
      reason,
      since: row.since ?? now,
      link: baseUrl === undefined ? null : `${baseUrl}/console/`,
    } as const
    writes.push(systemMailWrite(secrets, { _id: ids.next('sml'), tenantId, now, mail }))
    if (writes.length === adminsMax) break
  }
  const counted = await ifWithinBudget(relayWrites({ store, now, tenantLimits }, writes.length))
  return counted === undefined ? [] : [...writes, ...counted]
}
