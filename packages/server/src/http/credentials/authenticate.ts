import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { environmentOfKey, Failure, isKeyExpired, isKeyText, rolePermissions } from '@crmkit/core'
import type { Actor, Caller } from '../../features/caller.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RateLimit } from '../../ports/rate-limiter.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage } from '../../ports/storage.ts'
import { isSessionOfPassword, isSessionOfUser } from '../../security/session-of-password.ts'
import type { AccessClaims, TokenVerifier } from '../../security/session-tokens.ts'
import { isoTime } from '../../shared/clock.ts'
import type { ApiKeyRecord } from '../../storage/kinds/api-keys.ts'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { Session } from '../../storage/kinds/sessions.ts'
import type { TenantLimits, TenantRecord } from '../../storage/kinds/tenants.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import type { RequestLimits } from '../pipeline/rate-limit.ts'
import { CredentialCache } from './credential-cache.ts'
import { type InProcessCaller, inProcessCallerOf } from './in-process-callers.ts'
import { callerOfVisitor, isVisitorToken, type KnownVisitor, loadVisitor } from './visitors.ts'

export interface Authenticated {
  tenantId: TenantId
  actor: Caller
  /** The limits of the tenant that differ from the defaults. */
  tenantLimits: TenantLimits | undefined
  /** The rate limits of this credential. */
  limits: readonly RateLimit[]
}

export interface Authenticator {
  /** Returns the caller of the request. Throws one of the 401 failures. */
  authenticate(req: IncomingMessage): Authenticated | Promise<Authenticated>
  /** When an authenticated request's access token ends; undefined for an API key. */
  expiresAtMs(req: IncomingMessage): number | undefined
  /** Forgets the cached credentials of this tenant; null: of every tenant. */
  forget(tenantId: TenantId | null): void
  /** The look-ups in the caches of this process since its start. */
  readonly caches: Readonly<Record<'keys' | 'sessions' | 'visitors', CacheUse>>
}

type CacheUse = Readonly<Pick<CredentialCache<never>, 'hits' | 'misses'>>

interface KnownKey {
  tenantId: TenantId
  apiKey: ApiKeyRecord
  /** Built once for all requests until the key is loaded again. */
  caller: Authenticated
  isSuspended: boolean
}

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
  environment: 'staging' | 'production'
  limits: Pick<RequestLimits, 'ofCredential'>
  secrets: SecretBox
}

export function createAuthenticator(parts: Parts): Authenticator {
  const keys = new CredentialCache<KnownKey>(parts.clock, (keyHash) => loadKey(parts, keyHash))
  const sessions = new CredentialCache<KnownSession>(parts.clock, (id) => loadSession(parts, id))
  const visitors = new CredentialCache<KnownVisitor>(parts.clock, (tokenHash) =>
    loadVisitor(parts, tokenHash),
  )
  /** The claims of the requests that are running: a stream is authenticated again with each event. */
  const verified = new WeakMap<IncomingMessage, AccessClaims>()
  const claimsOf = (req: IncomingMessage, token: string) => {
    const known = verified.get(req)
    const nowMs = parts.clock.nowMs()
    if (known !== undefined) return known.expiresAt > Math.floor(nowMs / 1000) ? known : undefined
    const claims = parts.tokens.verify(token, nowMs)
    if (claims !== undefined) verified.set(req, claims)
    return claims
  }
  return {
    caches: { keys, sessions, visitors },
    authenticate(req) {
      const inside = inProcessCallerOf(req)
      if (inside !== undefined) return authenticateInside(parts, inside)
      // Only a request with a valid token has claims, and its headers do not change.
      const credential = verified.has(req) ? '' : credentialOf(req)
      if (isVisitorToken(credential)) return authenticateVisitor(parts, { visitors, token: credential })
      return credential.startsWith('sk_')
        ? authenticateKey(parts, { keys, key: credential })
        : authenticateSession(parts, { sessions, claims: claimsOf(req, credential) })
    },
    expiresAtMs(req) {
      if (inProcessCallerOf(req) !== undefined) return undefined
      const credential = credentialOf(req)
      if (credential.startsWith('sk_') || isVisitorToken(credential)) return undefined
      return (claimsOf(req, credential)?.expiresAt ?? 0) * 1000
    },
    forget(tenantId) {
      keys.forget(tenantId)
      sessions.forget(tenantId)
      visitors.forget(tenantId)
    },
  }
}

const authRequired = (message: string) =>
  new Failure('AUTH_REQUIRED', message, { headers: { 'WWW-Authenticate': 'Bearer' } })

const noCredential = () =>
  authRequired('Authentication is required: send Authorization: Bearer with an API key or access token')
const twoCredentials = () => authRequired('Authorization and X-API-Key hold different credentials')
// One response for every reason: it must not reveal whether a session exists.
const sessionOver = () => authRequired('The access token is not valid or has expired')

/** The one credential of a request; two that differ are none. */
function credentialOf(req: IncomingMessage): string {
  const { authorization } = req.headers
  const apiKey = req.headers['x-api-key']
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (authorization !== undefined && bearer === undefined) throw noCredential()
  const differ = bearer !== undefined && apiKey !== undefined && bearer !== apiKey
  if (differ || Array.isArray(apiKey) || isSentTwice(req)) throw twoCredentials()
  const credential = bearer ?? apiKey
  if (credential === undefined || credential === '') throw noCredential()
  // Any value of X-API-Key counts as a key, also one that does not look like a key.
  if (bearer === undefined && !credential.startsWith('sk_')) throw keyInvalid()
  return credential
}

/** Node shows the first of two equal headers, or joins them: another program on the way may see another caller. */
function isSentTwice({ rawHeaders }: IncomingMessage): boolean {
  let authorizations = 0
  let apiKeys = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 'authorization'.length && name.toLowerCase() === 'authorization') authorizations += 1
    else if (name.length === 'x-api-key'.length && name.toLowerCase() === 'x-api-key') apiKeys += 1
  }
  return authorizations > 1 || apiKeys > 1
}

const keyInvalid = () => new Failure('API_KEY_INVALID', 'The API key is not valid')

function authenticateKey(
  { clock, environment }: Parts,
  { keys, key }: { keys: CredentialCache<KnownKey>; key: string },
): Authenticated | Promise<Authenticated> {
  if (!isKeyText(key)) throw keyInvalid()
  if (environment === 'production' && environmentOfKey(key) === 'staging') throw keyInvalid()
  const known = keys.get(hash('sha256', key))
  const finish = (found: KnownKey | undefined) => actorOfKey(found, clock.nowMs())
  return known instanceof Promise ? known.then(finish) : finish(known)
}

function actorOfKey(known: KnownKey | undefined, nowMs: number): Authenticated {
  if (known === undefined) throw keyInvalid()
  const { apiKey, isSuspended, caller } = known
  if (!apiKey.isActive) throw new Failure('API_KEY_INACTIVE', 'The API key is deactivated')
  if (apiKey.expiresAt !== null && isKeyExpired(apiKey, isoTime(nowMs))) {
    throw new Failure('API_KEY_EXPIRED', 'The API key has expired')
  }
  if (isSuspended) throw suspended()
  return caller
}

const suspended = () => new Failure('TENANT_SUSPENDED', 'The tenant account is suspended')

function authenticateSession(
  { clock }: Parts,
  { sessions, claims }: { sessions: CredentialCache<KnownSession>; claims: AccessClaims | undefined },
): Authenticated | Promise<Authenticated> {
  if (claims === undefined) throw sessionOver()
  const known = sessions.get(claims.sessionId)
  const finish = (found: KnownSession | undefined) => actorOfSession(found, claims, clock.nowMs())
  return known instanceof Promise ? known.then(finish) : finish(known)
}

function actorOfSession(known: KnownSession | undefined, claims: AccessClaims, nowMs: number): Authenticated {
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

async function loadKey({ storage, limits }: Parts, keyHash: string): Promise<KnownKey | undefined> {
  const found = await storage.system.findApiKeyByHash(keyHash)
  if (found === undefined) return undefined
  const { tenantId, apiKey } = found
  const tenant = await storage.system.findTenant(tenantId)
  const actor: Actor = { type: 'apiKey', _id: apiKey._id, apiKey, permissions: apiKey.permissions }
  const caller = {
    tenantId,
    actor,
    tenantLimits: tenant?.limits,
    limits: limits.ofCredential(tenantId, actor),
  }
  return tenant && { ...found, caller, isSuspended: tenant.isSuspended }
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

function authenticateVisitor(
  { clock }: Parts,
  { visitors, token }: { visitors: CredentialCache<KnownVisitor>; token: string },
): Authenticated | Promise<Authenticated> {
  const known = visitors.get(hash('sha256', token))
  const finish = (found: KnownVisitor | undefined) => callerOfVisitor(found, isoTime(clock.nowMs()))
  return known instanceof Promise ? known.then(finish) : finish(known)
}

/** The app itself calls: it vouches for the user, who may not have accepted an invitation yet. No rate limit applies. */
async function authenticateInside(
  { storage }: Parts,
  { tenantId: id, userId }: InProcessCaller,
): Promise<Authenticated> {
  const tenant = await storage.system.findTenant(id)
  if (tenant === undefined) throw authRequired('The tenant of the client does not exist')
  if (tenant.isSuspended) throw suspended()
  const { tenantId, limits } = tenant
  const { users } = storage.forTenant(tenantId)
  const user = await (userId === undefined
    ? users.findOther({ role: 'owner', except: '' })
    : users.find(userId))
  if (user === undefined) {
    throw authRequired(
      userId === undefined
        ? 'The tenant has no active owner: name the actor of the client'
        : 'The actor of the client is not a user of its tenant',
    )
  }
  const { _id, role } = user
  const sessionId = `in-process ${_id}`
  const actor: Actor = { type: 'user', _id, user, sessionId, role, permissions: rolePermissions[role] }
  return { tenantId, actor, tenantLimits: limits, limits: [] }
}
