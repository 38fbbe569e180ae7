import {
  Failure,
  newDefaultInbox,
  newUser,
  normalizeEmail,
  type RegisterBody,
  type register,
  type Tenant,
  userEvent,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { SystemContext, SystemHandler } from '../handler.ts'
import { newSession, newTenantId, sessionReply } from './open-session.ts'

export const handleRegister: SystemHandler<typeof register> = async (ctx, { body }) => {
  const { ids, now } = ctx
  await assertMayRegister(ctx)
  const { identity, write: identityWrite } = await identityFor(ctx, body)
  const tenantId = newTenantId(ctx)
  const tenant: Tenant = {
    _id: tenantId,
    name: body.tenantName,
    isSuspended: false,
    createdAt: now,
    updatedAt: now,
  }
  const { email, firstName, lastName } = body
  const owner = newUser({ id: ids.next('usr'), tenantId, email, firstName, lastName, role: 'owner', now })
  const user: UserRecord = {
    ...owner,
    identityId: identity._id,
    emailNormalized: identity.email,
    sessionGeneration: 0,
  }
  const inbox = newDefaultInbox({ id: ids.next('inb'), tenantId, now })
  const { session, refreshToken } = newSession(ctx, { user, identity })
  return {
    tenantId,
    change: {
      writes: [
        { op: 'insert', kind: 'tenants', row: tenant },
        identityWrite,
        { op: 'insert', kind: 'users', row: user },
        { op: 'insert', kind: 'inboxes', row: inbox },
        { op: 'insert', kind: 'sessions', row: session },
      ],
      events: [userEvent('user.created', { user: owner, eventId: ids.next('evt'), now })],
    },
    actingUserId: user._id,
    audit: { action: 'tenant.registered', target: { type: 'tenant', _id: tenantId } },
    reply: sessionReply(ctx, { user, tenant, session, refreshToken }),
  }
}

/**
 * The identity of the first owner where only the first tenant may register: when two register at once, the second one
 * finds the id taken and is then refused.
 */
const firstIdentityId = 'idn_first'

async function assertMayRegister({ system, services }: SystemContext): Promise<void> {
  const isOpen =
    services.registration === 'open' || (services.registration === 'first' && !(await system.hasTenants()))
  if (!isOpen) throw new Failure('PERMISSION_DENIED', 'Registration is switched off on this server')
}

/** Returns the identity of the e-mail address: the existing one when the password is correct, or a new one. */
async function identityFor(
  ctx: SystemContext,
  body: RegisterBody,
): Promise<{ identity: Identity; write: Write<'identities'> }> {
  const { system, services, ids, now, address } = ctx
  const email = normalizeEmail(body.email)
  const existing = await system.findIdentityByEmail(email)
  if (existing) {
    const isRight = await services.attempts.check({ account: email, address }, () =>
      services.passwords.verify(existing.passwordHash, body.password),
    )
    const { version: expectVersion, ...identity } = existing
    const id = identity._id
    // The update makes the commit conflict when the identity is deleted with its last membership at this moment.
    if (isRight) return { identity, write: { op: 'update', kind: 'identities', id, expectVersion, set: {} } }
    throw new Failure('AUTH_REQUIRED', 'This e-mail signs in here already: register with its password')
  }
  const passwordHash = await services.passwords.hash(body.password)
  const times = { passwordGeneration: 1, passwordChangedBy: null, createdAt: now, updatedAt: now }
  const _id = services.registration === 'first' ? firstIdentityId : ids.next('idn')
  const identity = { _id, email, passwordHash, ...times }
  return { identity, write: { op: 'insert', kind: 'identities', row: identity } }
}
