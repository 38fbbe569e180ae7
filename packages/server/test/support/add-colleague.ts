import type { Role } from '@crmkit/core'
import type { Identity } from '../../src/storage/kinds/identities.ts'
import type { Session } from '../../src/storage/kinds/sessions.ts'
import type { UserRecord } from '../../src/storage/kinds/users.ts'
import type { TenantId } from '../../src/storage/records.ts'
import type { RunningService } from './start-service.ts'

export interface Colleague {
  userId: string
  /** An access token of a session of this user. */
  token: string
}

/** Adds one more user of a tenant, signed in; directly in the storage, because most tests are not about invitations. */
export async function addColleague(
  running: Pick<RunningService, 'service'>,
  { tenantId, role }: { tenantId: TenantId; role: Role },
): Promise<Colleague> {
  const added = await addColleagues(running, { tenantId, roles: [role] })
  return added[role]
}

/** Adds a user of each of these roles with one commit. */
export async function addColleagues<Added extends Role>(
  { service }: Pick<RunningService, 'service'>,
  { tenantId, roles }: { tenantId: TenantId; roles: readonly Added[] },
): Promise<Record<Added, Colleague>> {
  const made = roles.map((role) => ({ role, ...colleague(service, { tenantId, role }) }))
  await service.storage.system.commit(tenantId, {
    writes: made.flatMap(({ identity, user, session }) => [
      { op: 'insert' as const, kind: 'identities' as const, row: identity },
      { op: 'insert' as const, kind: 'users' as const, row: user },
      { op: 'insert' as const, kind: 'sessions' as const, row: session },
    ]),
    events: [],
  })
  const added = made.map(({ role, user, session }) => {
    const claims = { userId: user._id, tenantId, sessionId: session._id, role, nowMs: Date.now() }
    return [role, { userId: user._id, token: service.tokens.accessToken(claims) }]
  })
  return Object.fromEntries(added) as Record<Added, Colleague>
}

function colleague(
  { ids }: RunningService['service'],
  { tenantId, role }: { tenantId: TenantId; role: Role },
) {
  const now = new Date().toISOString()
  const times = { createdAt: now, updatedAt: now }
  const id = ids.next('usr')
  const email = `${role}-${id.toLowerCase()}@example.com`
  const identity: Identity = {
    _id: ids.next('idn'),
    email,
    passwordHash: 'none',
    passwordGeneration: 1,
    passwordChangedBy: null,
    ...times,
  }
  const user: UserRecord = {
    _id: id,
    tenantId,
    email,
    firstName: role,
    lastName: null,
    role,
    isActive: true,
    availability: 'online',
    availabilityMode: 'online',
    processingRestricted: false,
    identityId: identity._id,
    emailNormalized: email,
    sessionGeneration: 0,
    ...times,
  }
  const session: Session = {
    _id: ids.next('ses'),
    tenantId,
    userId: user._id,
    identityId: identity._id,
    passwordGeneration: 1,
    userGeneration: 0,
    refreshHash: identity._id,
    rotatedAt: now,
    endedAt: null,
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    ...times,
  }
  return { identity, user, session }
}
