import { type acceptInvite, Failure, userEvent } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { userOfRecord } from '../../shared/user-of-record.ts'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import type { SystemContext, SystemHandler } from '../handler.ts'
import { newSession, sessionReply } from './open-session.ts'

export const handleAcceptInvite: SystemHandler<typeof acceptInvite> = async (ctx, { body }) => {
  const { system, ids, now } = ctx
  const { tenantId, invited } = await findInvited(ctx, body.token)
  const tenant = await system.findTenant(tenantId)
  if (tenant === undefined) throw notValid()
  if (tenant.isSuspended) throw new Failure('TENANT_SUSPENDED', 'The tenant account is suspended')
  const { identity, write: identityWrite } = await identityOf(ctx, { invited, password: body.password })
  const set = { identityId: identity._id, isActive: true, invite: null, updatedAt: now }
  const user = { ...invited, ...set }
  const { session, refreshToken } = newSession(ctx, { user, identity })
  const changes = { isActive: { from: false, to: true } }
  const event = { user: userOfRecord(user), changes, eventId: ids.next('evt'), now }
  return {
    tenantId,
    change: {
      writes: [
        identityWrite,
        { op: 'update', kind: 'users', id: invited._id, expectVersion: invited.version, set },
        { op: 'insert', kind: 'sessions', row: session },
      ],
      events: [userEvent('user.updated', event)],
    },
    actingUserId: invited._id,
    audit: { action: 'user.inviteAccepted', target: { type: 'user', _id: invited._id } },
    reply: sessionReply(ctx, { user, tenant, session, refreshToken }),
  }
}

/** The same failure for a token that is forged, used, replaced or expired. */
function notValid(): Failure {
  return new Failure('AUTH_REQUIRED', 'The invitation is not valid any more: ask for a new one')
}

async function findInvited(
  { system, forTenant, services, now }: SystemContext,
  token: string,
): Promise<{ tenantId: TenantId; invited: Stored<UserRecord> }> {
  const named = services.tokens.inviteOf(token)
  const tenant = named && (await system.findTenant(named.tenantId))
  if (named === undefined || tenant === undefined) throw notValid()
  const invited = await forTenant(tenant.tenantId).users.find(named.userId)
  const invite = invited?.invite
  if (!invited || !invite || invite.expiresAt <= now) throw notValid()
  if (invite.tokenHash !== services.tokens.hashOf(token)) throw notValid()
  return { tenantId: tenant.tenantId, invited }
}

interface Proof {
  invited: UserRecord
  password: string
}

/**
 * Returns the identity of the e-mail address: a new one, or the existing one when the password is correct. Throws
 * AUTH_REQUIRED otherwise. An invitation never changes a password: the inviting admin sees the token, so it does not
 * prove who owns the mailbox. An identity exists as long as it has a membership, because an inactive membership, or
 * one in a suspended tenant, can become usable again.
 */
async function identityOf(
  ctx: SystemContext,
  { invited, password }: Proof,
): Promise<{ identity: Identity; write: Write<'identities'> }> {
  const { system, services, ids, now, address } = ctx
  const email = invited.emailNormalized
  const existing = await system.findIdentityByEmail(email)
  if (existing === undefined) {
    const passwordHash = await services.passwords.hash(password)
    const times = { passwordGeneration: 1, passwordChangedBy: null, createdAt: now, updatedAt: now }
    const identity: Identity = { _id: ids.next('idn'), email, passwordHash, ...times }
    // The e-mail is unique: when two invitations are accepted at once, the second one retries and finds this identity.
    return { identity, write: { op: 'insert', kind: 'identities', row: identity } }
  }
  const isRight = await services.attempts.check({ account: email, address }, () =>
    services.passwords.verify(existing.passwordHash, password),
  )
  if (!isRight) {
    const message = 'This e-mail has a password on this server already: accept with that password'
    throw new Failure('AUTH_REQUIRED', message)
  }
  const { version: expectVersion, ...identity } = existing
  const { _id: id } = identity
  // Makes the commit conflict when the password changes, or when the identity is deleted with its last membership.
  return { identity, write: { op: 'update', kind: 'identities', id, expectVersion, set: {} } }
}
