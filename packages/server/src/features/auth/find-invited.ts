import { Failure } from '@crmkit/core'
import type { TenantRecord } from '../../storage/kinds/tenants.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import type { SystemContext } from '../system-handler.ts'

interface Invited {
  tenantId: TenantId
  tenant: Stored<TenantRecord>
  invited: Stored<UserRecord>
  /** Id of the colleague who invites; null for an operator. */
  invitedBy: string | null
  expiresAt: string
}

/** Throws AUTH_REQUIRED for a token that is forged, used, replaced or expired, and TENANT_SUSPENDED. */
export async function findInvited(
  { system, forTenant, services, now }: SystemContext,
  token: string,
): Promise<Invited> {
  const named = services.tokens.inviteOf(token)
  const tenant = named && (await system.findTenant(named.tenantId))
  if (named === undefined || tenant === undefined) throw notValid()
  const { tenantId } = tenant
  const invited = await forTenant(tenantId).users.find(named.userId)
  const invite = invited?.invite
  if (!invited || !invite || invite.expiresAt <= now) throw notValid()
  if (invite.tokenHash !== services.tokens.hashOf(token)) throw notValid()
  if (tenant.isSuspended) throw new Failure('TENANT_SUSPENDED', 'The tenant account is suspended')
  return { tenantId, tenant, invited, invitedBy: invite.invitedBy ?? null, expiresAt: invite.expiresAt }
}

/** The same failure for every token that is not valid. */
function notValid(): Failure {
  return new Failure('AUTH_REQUIRED', 'The invitation is not valid any more: ask for a new one')
}
