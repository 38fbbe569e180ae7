import type { IdFactory } from '@crmkit/core'
import { passwordMailWrites } from '../../mail/out/outbound-budget.ts'
import { systemMailWrite } from '../../mail/out/system-mail.ts'
import type { Change } from '../../ports/change.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { SessionTokens } from '../../ports/session-tokens.ts'
import type { Storage } from '../../ports/storage.ts'
import type { SystemStore } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { withinHour } from '../../shared/within-hour.ts'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import type { RequestedReset } from '../system-handler.ts'
import { identitiesIn } from './identities-in.ts'
import { activeMemberships } from './memberships.ts'

const lifeMs = 30 * 60_000
const mailsPerHour = 3

interface ResetContext {
  system: SystemStore
  forTenant: Storage['forTenant']
  tokens: Pick<SessionTokens, 'newPasswordReset'>
  secrets: SecretBox
  ids: IdFactory
  nowMs: number
}

export interface PlannedReset {
  tenantId: TenantId
  change: Change<Kind>
  identityIds: readonly string[]
}

/**
 * Returns the commit that sends a link for a new password; undefined for an address that nobody signs in with, and for
 * one that got three mails within the hour, or whose tenant has used up its share. The mail proves its reader to be the owner of the address, so the link
 * sets the password of every identity that a sign-in would try: also of one that a stranger made with this address.
 * All requests for an address are written on its oldest identity, so the newest token is the only one.
 */
export async function planPasswordReset(
  { system, forTenant, tokens, secrets, ids, nowMs }: ResetContext,
  { email, tenantId, serviceUrl }: RequestedReset,
): Promise<PlannedReset | undefined> {
  const known = await system.listIdentitiesByEmail(email)
  const [oldest] = known
  if (oldest === undefined) return undefined
  const identities = tenantId === undefined ? known : await identitiesIn(system, { email, tenantId })
  const home = await findHome(system, identities)
  const sentAt = withinHour(oldest.passwordReset?.sentAt ?? [], nowMs)
  if (home === undefined || sentAt.length >= mailsPerHour) return undefined
  const { token, hash: tokenHash } = tokens.newPasswordReset(oldest._id)
  const [now, expiresAt] = [isoTime(nowMs), isoTime(nowMs + lifeMs)]
  const counted = await passwordMailWrites({ store: forTenant(home.tenantId), now })
  if (counted === undefined) return undefined
  const identityIds = identities.map(({ _id }) => _id)
  const generations = identities.map(({ passwordGeneration }) => passwordGeneration)
  const passwordReset = { tokenHash, expiresAt, identityIds, generations, sentAt: [...sentAt, now] }
  const { _id: id, version: expectVersion } = oldest
  const link = `${serviceUrl}/account/reset#token=${token}`
  const mail = { purpose: 'passwordReset', to: home.email, link, invitedBy: null } as const
  const row = { _id: ids.next('sml'), tenantId: home.tenantId, now, mail, giveUpAt: expiresAt }
  return {
    tenantId: home.tenantId,
    change: {
      writes: [
        { op: 'update', kind: 'identities', id, expectVersion, set: { passwordReset } },
        systemMailWrite(secrets, row),
        ...counted,
      ],
      events: [],
    },
    identityIds,
  }
}

/** Returns the oldest membership that can be signed in to: its tenant sends the mail. */
async function findHome(
  system: SystemStore,
  identities: readonly Stored<Identity>[],
): Promise<{ tenantId: TenantId; email: string } | undefined> {
  for (const { tenantId, user } of await activeMemberships({ system }, identities)) {
    const tenant = await system.findTenant(tenantId)
    if (tenant !== undefined && !tenant.isSuspended) return { tenantId, email: user.email }
  }
  return undefined
}
