import type { Failure, InputOf, Operation, QuotaUse, Role } from '@crmkit/core'
import type { Change } from '../ports/change.ts'
import type { TenantStore } from '../ports/storage.ts'
import type { SystemStore } from '../ports/system-store.ts'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'
import type { Kind } from '../storage/kinds/registry.ts'
import type { TenantLimits } from '../storage/kinds/tenants.ts'
import type { Stored, TenantId } from '../storage/records.ts'
import type { Actor, Visitor } from './caller.ts'
import type { HandlerContext, Outcome, Services } from './handler.ts'

/** The services that only handlers which work across tenants may use. */
export interface SystemServices extends Services {
  /** Schema of the database that this version works with. */
  schema: number
  /** Commit that the service was built of; null when it runs from the sources. */
  commit: string | null
  isQueueHealthy(): boolean
  isDiskFull(): boolean
  /** Seconds since this process started to serve. */
  uptimeSeconds(): number
  passwords: Passwords
  attempts: SignInAttempts
  tokens: SessionTokens
  quotas: Quotas
  registration: 'open' | 'first' | 'off'
}

export interface Quotas {
  /** Returns the use and the limit of every quota of a tenant. */
  use(tenant: {
    tenantId: TenantId
    tenantLimits: TenantLimits | undefined
  }): Promise<Record<string, QuotaUse>>
}

export interface Passwords {
  /**
   * Hashes a password once, with the salt of these hashes (a new one without any), and compares the result with each of
   * them: the work is the same for no hash and for four, so that an unknown e-mail takes as long as a known one. Throws
   * SERVICE_UNAVAILABLE when too many passwords wait.
   */
  compare(password: string, hashes: readonly string[], caller: HashCaller): Promise<ComparedPassword>
}

/** Decides which of the waiting passwords is hashed next. */
export interface HashCaller {
  address: string
  /** Whether an identity of the account has signed in at the address before, or the caller is signed in. */
  isKnown: boolean
}

export interface ComparedPassword {
  /** The hash of the password, with the salt of the hashes. */
  hash: string
  /** Whether each of the hashes is one of this password. */
  isRight: readonly boolean[]
}

export interface SignInAttempts {
  /**
   * Counts an attempt as failed, calls `verify`, and withdraws the attempt when it was right. Throws RATE_LIMIT_EXCEEDED
   * without calling `verify` while the account has to wait after too many failures: at this address, at the networks
   * around it, or at all addresses. The last two limits do not apply to identities that have signed in at this address
   * before; then only such identities are tried.
   */
  make(who: SignInAttempt, verify: VerifyAttempt): Promise<void>
}

export interface SignInAttempt {
  /** A normalised e-mail, known or not. */
  account: string
  address: string
  identityIds: readonly string[]
}

export type VerifyAttempt = (tried: {
  identityIds: readonly string[]
  caller: HashCaller
}) => Promise<{ isFailure: boolean; rightIds: readonly string[] }>

export interface InviteTokens {
  /** Returns a token that names the invited user and cannot be forged. */
  newInvite(invited: { tenantId: string; userId: string }): { token: string; hash: string }
  /** Returns the user that a token of this service invites; undefined for any other text. */
  inviteOf(token: string): { tenantId: string; userId: string } | undefined
}

export interface AccessTokenClaims {
  userId: string
  tenantId: string
  sessionId: string
  role: Role
  nowMs: number
}

export interface SessionTokens extends InviteTokens {
  accessToken(claims: AccessTokenClaims): string
  newRefreshToken(sessionId: string): { token: string; hash: string }
  /** Returns the session of a refresh token, also of a stale one; undefined for a token of another origin. */
  sessionOf(refreshToken: string): string | undefined
  /** Returns the token that a refresh token rotates to, which is always the same one. */
  childOf(refreshToken: string): { token: string; hash: string }
  /** Returns a token that names the oldest identity of an e-mail and cannot be forged. */
  newPasswordReset(identityId: string): { token: string; hash: string }
  /** Returns the identity of a token for a new password; undefined for any other text. */
  resetOf(token: string): string | undefined
  hashOf(refreshToken: string): string
}

/** A request of a visitor who has no session yet, or wants another one. */
export interface WidgetRequest {
  tenantId: TenantId
  tenantLimits: TenantLimits | undefined
  inbox: Stored<InboxRecord>
  /** The visitor whose session the request names; undefined without one, or when it has ended. */
  visitor: Visitor | undefined
  /** Counts a new session, once for each request. Throws RATE_LIMIT_EXCEEDED. */
  countSession(of: { address: string } | { personId: string }): Promise<void>
}

/** The context of handlers that work across tenants: the system store, and a tenant's store only with a session. */
export interface SystemContext
  extends Omit<HandlerContext, 'services' | 'store' | 'tenantId' | 'tenantLimits' | 'actor'> {
  system: SystemStore
  forTenant(id: TenantId): TenantStore
  /** Undefined for the public operations. */
  signedIn: { tenantId: TenantId; actor: Extract<Actor, { type: 'user' }> } | undefined
  /** Defined where an API key calls. */
  withKey: { tenantId: TenantId; actor: Extract<Actor, { type: 'apiKey' }> } | undefined
  /** Defined for the public operations of the chat widget. */
  widget: WidgetRequest | undefined
  services: SystemServices
  nowMs: number
  /** The caller's IP address. */
  address: string
}

export interface SystemOutcome<O extends Operation> extends Omit<Outcome<O>, 'change'> {
  change?: Change<Kind>
  /** The tenant of the commit; required with a change. */
  tenantId?: TenantId
  /** The acting user for the audit log, when nobody is signed in yet. */
  actingUserId?: string
  /** Noted once the change is committed. */
  identityNote?: IdentityNote
  /** Worked on after the response, so that its time says nothing about the address. */
  passwordReset?: RequestedReset
}

/** A request for a new password, for an address that may be unknown. */
export interface RequestedReset {
  /** In any spelling. */
  email: string
  /** Undefined: every identity that a sign-in without a tenant tries. */
  tenantId: string | undefined
  serviceUrl: string
}

/** A note for the audit log of every tenant that these identities belong to. */
export interface IdentityNote {
  action: string
  identityIds: readonly string[]
  /** Whether these identities have signed in; otherwise the actor is unknown. */
  byOwner?: boolean
  /** The user whose tenant has an entry of its own. */
  exceptUserId?: string
}

/** A refusal with a change, which is committed before the refusal is sent. */
export interface SystemRefusal {
  refusal: Failure
  change: Change<Kind>
  tenantId: TenantId
}

export type SystemHandler<O extends Operation> = (
  ctx: SystemContext,
  input: InputOf<O>,
) => Promise<SystemOutcome<O> | SystemRefusal>

/** Returns the session of an operation that is declared for sessions. */
export function signedInOf(ctx: SystemContext): NonNullable<SystemContext['signedIn']> {
  if (ctx.signedIn === undefined) throw new Error('This operation is declared for sessions')
  return ctx.signedIn
}

/** Returns the inbox that a public operation of the chat widget names. */
export function widgetOf(ctx: Pick<SystemContext, 'widget'>): WidgetRequest {
  if (ctx.widget === undefined) throw new Error('This operation is not declared for the chat widget')
  return ctx.widget
}
