import { Failure, normalizeEmail, type RegisterBody, type register } from '@crmkit/core'
import {
  type HeldIdentity,
  holdIdentity,
  insertFirst,
  matchPassword,
  wrongPassword,
} from '../match-password.ts'
import type { SystemContext, SystemHandler } from '../system-handler.ts'
import { foundTenant } from './found-tenant.ts'
import { newSession, sessionReply } from './open-session.ts'
import { registrationState } from './registration-state.ts'

export const handleRegister: SystemHandler<typeof register> = async (ctx, { body }) => {
  await assertMayRegister(ctx, body.setupToken ?? '')
  const { identity, writes: identityWrites } = await identityFor(ctx, body)
  const { tenantName, email, firstName, lastName } = body
  const founder = { tenantName, email, firstName, lastName, identityId: identity._id }
  const { tenantId, tenant, user, change } = foundTenant(ctx, founder)
  const { session, refreshToken } = newSession(ctx, { user, identity })
  const { writes, events } = change(user)
  return {
    tenantId,
    change: {
      writes: [...identityWrites, ...writes, { op: 'insert', kind: 'sessions', row: session }],
      events,
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

async function assertMayRegister(ctx: SystemContext, setupToken: string): Promise<void> {
  const state = await registrationState(ctx)
  if (!state.open) throw new Failure('PERMISSION_DENIED', 'Registration is switched off on this server')
  if (!state.setupToken || ctx.services.tokens.isSetupToken(setupToken)) return
  const message = 'The first tenant of this server needs the setup token that the server prints at its start'
  throw new Failure('PERMISSION_DENIED', message)
}

/** Returns the identity of the e-mail that has this password, or the first one of the e-mail. */
async function identityFor(ctx: SystemContext, body: RegisterBody): Promise<HeldIdentity> {
  const { system, services, ids, now } = ctx
  const email = normalizeEmail(body.email)
  const identities = await system.listIdentitiesByEmail(body.email)
  const given = { email, password: body.password, identities, mayDiffer: true }
  const { matching, passwordHash } = await matchPassword(ctx, given)
  if (matching[0]) return holdIdentity(matching[0])
  if (identities.length > 0) throw wrongPassword()
  const _id = services.registration === 'first' ? firstIdentityId : ids.next('idn')
  return insertFirst({ _id, email, passwordHash }, now)
}
