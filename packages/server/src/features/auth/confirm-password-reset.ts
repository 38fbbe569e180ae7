import { type confirmPasswordReset, Failure } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { Identity, PasswordReset } from '../../storage/kinds/identities.ts'
import type { Stored } from '../../storage/records.ts'
import type { SystemContext, SystemHandler } from '../system-handler.ts'
import { activeMemberships, severalTenants } from './memberships.ts'
import { newSession, sessionReply } from './open-session.ts'

export const handleConfirmPasswordReset: SystemHandler<typeof confirmPasswordReset> = async (
  ctx,
  { body },
) => {
  const { system, services, now, address } = ctx
  const { oldest, reset } = await findReset(ctx, body.token)
  const found = await Promise.all(reset.identityIds.map((id) => system.findIdentity(id)))
  // A change of the password voids the link: someone else may have read the mail before its owner changed the password.
  const identities = found.flatMap((identity, index) => {
    const asked = reset.generations?.[index] ?? identity?.passwordGeneration
    return identity?.passwordGeneration === asked ? (identity ?? []) : []
  })
  const memberships = (await activeMemberships(ctx, identities)).filter(
    ({ tenantId }) => !body.tenantId || tenantId === body.tenantId,
  )
  const [chosen, second] = memberships
  const tenant = chosen && (await system.findTenant(chosen.tenantId))
  if (chosen === undefined || tenant === undefined) throw notValid()
  if (second !== undefined) throw await severalTenants(ctx, memberships)
  if (tenant.isSuspended) throw new Failure('TENANT_SUSPENDED', 'The tenant account is suspended')
  // All identities of an e-mail share one salt, so one hash fits all of them.
  const caller = { address, isKnown: true }
  const { hash } = await services.passwords.compare(body.password, [oldest.passwordHash], caller)
  const { user, identity } = chosen
  const passwordGeneration = identity.passwordGeneration + 1
  const { session, refreshToken } = newSession(ctx, { user, identity: { ...identity, passwordGeneration } })
  return {
    tenantId: chosen.tenantId,
    change: {
      writes: [
        ...passwordWrites({ identities, oldest, reset, hash, now }),
        { op: 'insert', kind: 'sessions', row: session },
      ],
      events: [],
    },
    actingUserId: user._id,
    audit: { action: 'user.passwordReset', target: { type: 'user', _id: user._id } },
    identityNote: {
      action: 'user.passwordReset',
      identityIds: identities.map(({ _id }) => _id),
      byOwner: true,
      exceptUserId: user._id,
    },
    reply: sessionReply(ctx, { user, tenant, session, refreshToken }),
  }
}

/** The same failure for a token that is forged, used, replaced or expired. */
function notValid(): Failure {
  return new Failure('AUTH_REQUIRED', 'The link for a new password is not valid any more: ask for a new one')
}

async function findReset(
  { system, services, now }: SystemContext,
  token: string,
): Promise<{ oldest: Stored<Identity>; reset: PasswordReset }> {
  const oldest = await system.findIdentity(services.tokens.resetOf(token) ?? '')
  const reset = oldest?.passwordReset
  if (!oldest || !reset || reset.tokenHash === null || reset.expiresAt <= now) throw notValid()
  if (reset.tokenHash !== services.tokens.hashOf(token)) throw notValid()
  return { oldest, reset }
}

interface NewPassword {
  identities: readonly Stored<Identity>[]
  oldest: Stored<Identity>
  reset: PasswordReset
  hash: string
  now: string
}

/** Uses up the token, and ends every session that began with an earlier password. Of two uses one conflicts. */
function passwordWrites({ identities, oldest, reset, hash, now }: NewPassword): Write<'identities'>[] {
  const passwordReset = { ...reset, tokenHash: null, identityIds: [], generations: [] }
  const all = identities.some(({ _id }) => _id === oldest._id) ? identities : [...identities, oldest]
  return all.map((identity): Write<'identities'> => {
    const { _id: id, version: expectVersion } = identity
    const passwordGeneration = identity.passwordGeneration + 1
    const changed = { passwordHash: hash, passwordGeneration, passwordChangedBy: null, updatedAt: now }
    const set = {
      ...(identities.includes(identity) && changed),
      ...(id === oldest._id && { passwordReset }),
    }
    return { op: 'update', kind: 'identities', id, expectVersion, set }
  })
}
