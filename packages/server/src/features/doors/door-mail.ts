import { partOfDoor } from '@crmkit/core'
import { mailsToTeam, type TeamMailParts } from '../../mail/out/mails-to-team.ts'
import { ifWithinBudget, relayWrites } from '../../mail/out/outbound-budget.ts'
import type { Write } from '../../ports/change.ts'
import type { MailSettings } from '../../ports/mail-sender.ts'
import type { TenantStore } from '../../ports/storage.ts'
import type { DoorRecord } from '../../storage/kinds/doors.ts'
import type { TenantLimits } from '../../storage/kinds/tenants.ts'

export interface DoorMailParts extends TeamMailParts {
  store: Pick<TenantStore, 'tenantId' | 'users' | 'outboundCounts' | 'inboxes'>
  mail: MailSettings
  tenantLimits: TenantLimits | undefined
}

/**
 * Returns the mails that tell admins that a door fails; none where the relay is not set up. A mail about the relay itself would wait
 * for the relay, so the console alone says that.
 */
export async function doorMailWrites(
  parts: DoorMailParts,
  { row, name, usesRelay }: { row: DoorRecord; name: string; usesRelay: boolean },
): Promise<Write[]> {
  const { store, mail, now, tenantLimits } = parts
  const { relay, baseUrl } = mail
  if (relay === undefined || usesRelay) return []
  const { door, reason } = row
  const writes = await mailsToTeam(parts, {
    role: 'admin',
    mailTo: (to) => ({
      purpose: 'doorFails',
      to,
      part: partOfDoor[door],
      name,
      reason,
      since: row.since ?? now,
      link: baseUrl === undefined ? null : `${baseUrl}/console/`,
    }),
  })
  const counted = await ifWithinBudget(relayWrites({ store, now, tenantLimits }, writes.length))
  return counted === undefined ? [] : [...writes, ...counted]
}
