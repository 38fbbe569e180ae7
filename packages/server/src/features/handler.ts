import type { Failure, IdFactory, InputOf, Operation, Permission, ReplyOf, Role } from '@crmkit/core'
import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { Change } from '../ports/change.ts'
import type { CheckDestination, HttpSender } from '../ports/http-sender.ts'
import type { SecretBox } from '../ports/secret-box.ts'
import type { SystemStore, TenantStore } from '../ports/storage.ts'
import type { ApiKeyRecord } from '../storage/kinds/api-keys.ts'
import type { Kind } from '../storage/kinds/registry.ts'
import type { UserRecord } from '../storage/kinds/users.ts'
import type { Stored, TenantId } from '../storage/records.ts'
import type { Turns } from './conversations/choose-assignee.ts'

/** Who makes a request, after authentication. */
export type Actor =
  | {
      type: 'user'
      _id: string
      user: Stored<UserRecord>
      sessionId: string
      role: Role
      permissions: readonly Permission[]
    }
  | { type: 'apiKey'; _id: string; apiKey: ApiKeyRecord; permissions: readonly Permission[] }

/** What a handler may use besides its tenant's storage. */
export interface Services {
  attachments: Pick<AttachmentStore, 'read'>
  secrets: SecretBox
  checkDestination: CheckDestination
  sender: HttpSender
  invites: Pick<InviteTokens, 'newInvite'>
  turns: Turns
  version: string
}

export interface HandlerContext {
  tenantId: TenantId
  store: TenantStore
  actor: Actor
  ids: IdFactory
  /** The moment of this run, ISO 8601: one time for everything it writes. */
  now: string
  requestId: string
  services: Services
}

/** A note for the audit log, committed with the change it describes. */
export interface AuditNote {
  action: string
  target: { type: string; _id: string }
  reason?: string | null
  /** Paths of the fields that changed. Never their values. */
  changed?: readonly string[]
}

/** What a handler decided. It commits nothing itself: `run-handler` does, once. */
export interface Outcome<O extends Operation> {
  reply: ReplyOf<O>
  /** Only where it differs from the operation's own. */
  status?: number
  change?: Change
  audit?: AuditNote
}

/**
 * One operation's half on the server: reads, decides, answers. It may be run again on fresh rows when
 * its commit loses a race, so it has no effect of its own.
 */
export type Handler<O extends Operation> = (ctx: HandlerContext, input: InputOf<O>) => Promise<Outcome<O>>

/** Judges of a body what its schema cannot. Throws VALIDATION_ERROR with all failures at once. */
export type BodyCheck = (
  ctx: { now: string; services: Pick<Services, 'checkDestination'> },
  /** The fields that the schema finds right. */
  fields: Readonly<Record<string, unknown>>,
) => void

/** One event as a stream sends it: the stored bytes, and where a reader goes on behind it. */
export interface StreamedEvent {
  position: string
  type: string
  body: string
}

/** What a stream reads, page by page. */
export interface EventFeed {
  /** The position that it begins behind. */
  readonly start: string
  /** What follows a position for the caller as they are by now; empty when there is nothing yet. */
  read(from: { after: string; actor: Actor }): Promise<readonly StreamedEvent[]>
}

export interface StreamContext extends Pick<HandlerContext, 'store' | 'actor'> {
  /** The header of that name. */
  lastEventId: string | undefined
}

/** The half of an operation that is answered by a stream. It writes nothing, so nothing is committed for it. */
export type StreamHandler<O extends Operation> = (ctx: StreamContext, input: InputOf<O>) => Promise<EventFeed>

/** A file as it is answered. */
export interface Download {
  filename: string
  contentType: string
  /** In bytes; undefined where it is made while it is sent. */
  size?: number
  /** Written before the first byte goes out. */
  audit?: AuditNote
  /** The bytes; not asked for where only the head is wanted. They are read no faster than the client takes them. */
  open(): Promise<AsyncIterable<Uint8Array | string>>
}

/** The half of an operation that is answered by a file. Throws its refusals before it answers. */
export type DownloadHandler<O extends Operation> = (
  ctx: Pick<HandlerContext, 'store' | 'actor' | 'now' | 'services'>,
  input: InputOf<O>,
) => Promise<Download>

/** The signed-in person of an operation that API keys cannot call. */
export function userOf(ctx: Pick<HandlerContext, 'actor'>): Extract<Actor, { type: 'user' }> {
  if (ctx.actor.type !== 'user') throw new Error('This operation is declared for sessions')
  return ctx.actor
}

/** What only the handlers that work across tenants may use. */
export interface SystemServices extends Services {
  isQueueHealthy(): boolean
  /** Seconds since this process started to serve. */
  uptimeSeconds(): number
  passwords: Passwords
  attempts: SignInAttempts
  tokens: SessionTokens
  registration: 'open' | 'first' | 'off'
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
  /** Of the password, with the salt of the hashes. */
  hash: string
  /** For each of the hashes, whether it is one of this password. */
  isRight: readonly boolean[]
}

export interface SignInAttempts {
  /**
   * Counts an attempt as failed, lets `verify` make it, and takes it back when it was right. Throws RATE_LIMIT_EXCEEDED
   * without making it while the account has to wait after too many failures: at this address, at the networks around it,
   * or at all addresses. The last two do not hold where an identity is known, by an earlier success at this address;
   * then only such identities are tried.
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
  /** A token that names the invited user and cannot be made up. */
  newInvite(invited: { tenantId: string; userId: string }): { token: string; hash: string }
  /** Whom a token of ours invites; undefined for any other text. */
  inviteOf(token: string): { tenantId: string; userId: string } | undefined
}

export interface SessionTokens extends InviteTokens {
  accessToken(claims: {
    userId: string
    tenantId: string
    sessionId: string
    role: Role
    nowMs: number
  }): string
  newRefreshToken(sessionId: string): { token: string; hash: string }
  /** The session that a refresh token was made for, also when it is stale; undefined for one we did not make. */
  sessionOf(refreshToken: string): string | undefined
  /** The token that a refresh token rotates to: always the same one. */
  childOf(refreshToken: string): { token: string; hash: string }
  hashOf(refreshToken: string): string
}

/** For `features/auth` and `features/health`, which work across tenants: the system store, and a tenant only with a session. */
export interface SystemContext extends Omit<HandlerContext, 'services' | 'store' | 'tenantId' | 'actor'> {
  system: SystemStore
  forTenant(id: TenantId): TenantStore
  /** Undefined on the public operations. */
  signedIn: { tenantId: TenantId; actor: Extract<Actor, { type: 'user' }> } | undefined
  services: SystemServices
  nowMs: number
  /** The caller's. */
  address: string
}

export interface SystemOutcome<O extends Operation> extends Omit<Outcome<O>, 'change'> {
  change?: Change<Kind>
  /** Whose commit it is; required with a change. */
  tenantId?: TenantId
  /** Who acted, for the audit log, where nobody is signed in yet. */
  actingUserId?: string
  /** Noted once the change is committed. */
  identityNote?: IdentityNote
}

/** A note for the audit log of every tenant that these identities belong to. */
export interface IdentityNote {
  action: string
  identityIds: readonly string[]
  /** Whether the person did it who signs in with them; else the actor is not known. */
  byOwner?: boolean
  /** The user whose tenant has an entry of its own. */
  exceptUserId?: string
}

/** A refusal that leaves a change behind: it is answered once the change is committed. */
export interface SystemRefusal {
  refusal: Failure
  change: Change<Kind>
  tenantId: TenantId
}

export type SystemHandler<O extends Operation> = (
  ctx: SystemContext,
  input: InputOf<O>,
) => Promise<SystemOutcome<O> | SystemRefusal>

/** The session of an operation that is declared for sessions. */
export function signedInOf(ctx: SystemContext): NonNullable<SystemContext['signedIn']> {
  if (ctx.signedIn === undefined) throw new Error('This operation is declared for sessions')
  return ctx.signedIn
}
