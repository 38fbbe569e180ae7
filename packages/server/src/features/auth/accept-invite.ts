import {
  type acceptInvite,
  availabilityAt,
  Failure,
  normalizeEmail,
  updatedUser,
  userEvent,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { setupAfter } from '../../shared/tenant-setup.ts'
import { userOfRecord } from '../../shared/user-of-record.ts'
import type { TenantRecord } from '../../storage/kinds/tenants.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored } from '../../storage/records.ts'
import {
  type HeldIdentity,
  holdIdentity,
  insertFirst,
  insertSeparate,
  matchPassword,
} from '../match-password.ts'
import type { SystemContext, SystemHandler } from '../system-handler.ts'
import { findInvited } from './find-invited.ts'
import { newSession, sessionReply } from './open-session.ts'

export const handleAcceptInvite: SystemHandler<typeof acceptInvite> = async (ctx, { body }) => {
  const { ids, now } = ctx
  const { tenantId, tenant, invited, invitedBy } = await findInvited(ctx, body.token)
  const separate = body.separate === true
  const {
    identity,
    writes: identityWrites,
    others,
  } = await identityOf(ctx, {
    invited,
    password: body.password,
    separate,
  })
  const before = userOfRecord(invited, { now, viewerId: invited._id })
  const firstName = before.firstName ?? body.firstName ?? null
  const lastName = before.lastName ?? body.lastName ?? null
  const availability = availabilityAt({ ...invited, isActive: true }, now)
  const { user: joined, changes } = updatedUser(
    before,
    { isActive: true, firstName, lastName },
    { now, availability },
  )
  const { isActive, updatedAt } = joined
  const set = { firstName, lastName, isActive, updatedAt, identityId: identity._id, invite: null }
  const user = { ...invited, ...set }
  const { session, refreshToken } = newSession(ctx, { user, identity })
  const event = { user: joined, changes, eventId: ids.next('evt'), now }
  return {
    tenantId,
    change: {
      writes: [
        ...identityWrites,
        { op: 'update', kind: 'users', id: invited._id, expectVersion: invited.version, set },
        { op: 'insert', kind: 'sessions', row: session },
        ...(invitedBy === null ? [] : setupWrites(tenant, now)),
      ],
      events: [userEvent('user.updated', event)],
    },
    actingUserId: invited._id,
    audit: { action: 'user.inviteAccepted', target: { type: 'user', _id: invited._id } },
    // Without the name of this tenant: nobody else learns where a person is a member.
    identityNote: {
      action: 'user.inviteAcceptedElsewhere',
      identityIds: others,
      exceptUserId: invited._id,
    },
    reply: sessionReply(ctx, { user, tenant, session, refreshToken }),
  }
}

/** The first invitation of a tenant that is accepted is a step of its setup. */
function setupWrites(tenant: Stored<TenantRecord>, now: string): Write<'tenants'>[] {
  const setup = setupAfter(tenant, 'invite', now)
  const { _id: id, version: expectVersion } = tenant
  return setup === undefined ? [] : [{ op: 'update', kind: 'tenants', id, expectVersion, set: { setup } }]
}

interface Proof {
  invited: UserRecord
  password: string
  separate: boolean
}

/**
 * Returns the identity of the e-mail that has this password, or a new one: the first one of the e-mail, or a separate one
 * when the caller asks for that. Throws AUTH_REQUIRED otherwise. An invitation never changes a password: the inviting admin
 * sees the token, so it does not prove who owns the mailbox. An identity exists as long as it has a membership, because an
 * inactive membership, or one in a suspended tenant, can become usable again.
 */
async function identityOf(
  ctx: SystemContext,
  proof: Proof,
): Promise<HeldIdentity & { others: readonly string[] }> {
  const { system, ids, now } = ctx
  const { password, separate } = proof
  const email = normalizeEmail(proof.invited.email)
  const identities = await system.listIdentitiesByEmail(proof.invited.email)
  const { matching, passwordHash } = await matchPassword(ctx, {
    email,
    password,
    identities,
    mayDiffer: true,
  })
  const others = identities.map(({ _id }) => _id)
  if (matching[0]) return { ...holdIdentity(matching[0]), others }
  const made = { _id: ids.next('idn'), email, passwordHash }
  const [oldest] = identities
  if (oldest === undefined) return { ...insertFirst(made, now), others }
  if (separate) return { ...insertSeparate(made, oldest, now), others }
  const message =
    'This is not the password of this e-mail on this server: accept with that password, or with separate: true to sign in to this tenant with a password of its own'
  throw new Failure('AUTH_REQUIRED', message)
}
