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
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { SystemContext, SystemHandler } from '../handler.ts'
import {
  type HeldIdentity,
  holdIdentity,
  insertFirst,
  matchPassword,
  wrongPassword,
} from './match-password.ts'
import { newSession, newTenantId, sessionReply } from './open-session.ts'

export const handleRegister: SystemHandler<typeof register> = async (ctx, { body }) => {
  const { ids, now } = ctx
  await assertMayRegister(ctx)
  const { identity, writes: identityWrites } = await identityFor(ctx, body)
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
        ...identityWrites,
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

/** Returns the identity of the e-mail that has this password, or the first one of the e-mail. */
async function identityFor(ctx: SystemContext, body: RegisterBody): Promise<HeldIdentity> {
  const { system, services, ids, now } = ctx
  const email = normalizeEmail(body.email)
  const identities = await system.listIdentitiesByEmail(email)
  const given = { email, password: body.password, identities, mayDiffer: true }
  const { matching, passwordHash } = await matchPassword(ctx, given)
  if (matching[0]) return holdIdentity(matching[0])
  if (identities.length > 0) throw wrongPassword()
  const _id = services.registration === 'first' ? firstIdentityId : ids.next('idn')
  return insertFirst({ _id, email, passwordHash }, now)
}
