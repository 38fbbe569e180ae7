import { rolePermissions } from '@crmkit/core'
import type { Actor } from '../../features/caller.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import { isSessionOfPassword, isSessionOfUser } from '../../security/session-of-password.ts'
import type { AccessClaims, TokenVerifier } from '../../security/session-tokens.ts'
import { isoTime } from '../../shared/clock.ts'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { Session } from '../../storage/kinds/sessions.ts'
import type { TenantRecord } from '../../storage/kinds/tenants.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import type { RequestLimits } from '../pipeline/rate-limit.ts'
import { CredentialCache } from './credential-cache.ts'
import { type Authenticated, authRequired, type CredentialKind, suspended } from './credential-kind.ts'

interface KnownSession {
  tenantId: TenantId
  session: Stored<Session>
  user: Stored<UserRecord> | undefined
  /** Undefined without a user. */
  caller: Authenticated | undefined
  identity: Stored<Identity> | undefined
  isSuspended: boolean
}

interface Parts {
  storage: Storage
  tokens: TokenVerifier
  clock: Clock
  limits: Pick<RequestLimits, 'ofCredential'>
}

// One response for every reason: it must not reveal whether a session exists.
const sessionOver = () => authRequired('The access token is not valid or has expired')

export function createSessions(parts: Parts): CredentialKind {
  const { clock, tokens } = parts
  const sessions = new CredentialCache<KnownSession>(clock, (id) => loadSession(parts, id))
  return {
    cache: sessions,
    forget: (tenantId) => sessions.forget(tenantId),
    read(text) {
      const claims = tokens.verify(text, clock.nowMs())
      if (claims === undefined) throw sessionOver()
      const finish = (found: KnownSession | undefined) => callerOfClaims(found, claims, clock.nowMs())
      return {
        endsAtMs: claims.expiresAt * 1000,
        caller() {
          if (claims.expiresAt <= Math.floor(clock.nowMs() / 1000)) throw sessionOver()
          const known = sessions.get(claims.sessionId)
          return known instanceof Promise ? known.then(finish) : finish(known)
        },
      }
    },
  }
}

function callerOfClaims(known: KnownSession | undefined, claims: AccessClaims, nowMs: number): Authenticated {
  if (known?.user === undefined || known.caller === undefined || !isSessionOpen(known, nowMs))
    throw sessionOver()
  const { user, session, tenantId, caller } = known
  if (session.userId !== claims.userId || tenantId !== claims.tenantId) throw sessionOver()
  if (!user.isActive || !isSessionOfUser(session, user)) throw sessionOver()
  if (known.isSuspended) throw suspended()
  return caller
}

function isSessionOpen({ session, identity }: KnownSession, nowMs: number): boolean {
  if (session.endedAt !== null || session.expiresAt <= isoTime(nowMs) || identity === undefined) return false
  return isSessionOfPassword(session, identity)
}

async function loadSession({ storage, limits }: Parts, id: string): Promise<KnownSession | undefined> {
  const { system } = storage
  const found = await system.findSession(id)
  if (found === undefined) return undefined
  const [user, identity, tenant] = await Promise.all([
    storage.forTenant(found.tenantId).users.find(found.session.userId),
    system.findIdentity(found.session.identityId),
    system.findTenant(found.tenantId),
  ])
  const caller = user && callerOfSession(limits, { ...found, user, tenant })
  return tenant && { ...found, user, caller, identity, isSuspended: tenant.isSuspended }
}

interface LoadedSession {
  tenantId: TenantId
  session: Session
  user: Stored<UserRecord>
  tenant: TenantRecord | undefined
}

function callerOfSession(
  limits: Parts['limits'],
  { tenantId, session, user, tenant }: LoadedSession,
): Authenticated {
  // The role of now, not the one in the token: a demotion must not wait for the token to end.
  const { role } = user
  const permissions = rolePermissions[role]
  const actor: Actor = { type: 'user', _id: user._id, user, sessionId: session._id, role, permissions }
  return { tenantId, actor, tenantLimits: tenant?.limits, limits: limits.ofCredential(tenantId, actor) }
}
