import type {
  AuditActionOf,
  Failure,
  IdFactory,
  InputOf,
  LiveEventType,
  Operation,
  Permission,
  Presence,
  PresenceState,
  QuotaUse,
  ReplyOf,
  Role,
} from '@crmkit/core'
import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { Change } from '../ports/change.ts'
import type { DnsRecords } from '../ports/dns-records.ts'
import type { CheckDestination, HttpSender } from '../ports/http-sender.ts'
import type { LiveSignal } from '../ports/live.ts'
import type { MailSender, MailSettings } from '../ports/mail-sender.ts'
import type { MailSource } from '../ports/mail-source.ts'
import type { SecretBox } from '../ports/secret-box.ts'
import type { Sources } from '../ports/sources.ts'
import type { SystemStore, TenantStore } from '../ports/storage.ts'
import type { TelephonyProvider } from '../ports/telephony-provider.ts'
import type { ApiKeyRecord } from '../storage/kinds/api-keys.ts'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'
import type { Kind } from '../storage/kinds/registry.ts'
import type { TenantLimits } from '../storage/kinds/tenants.ts'
import type { UserRecord } from '../storage/kinds/users.ts'
import type { WidgetSession } from '../storage/kinds/widget-sessions.ts'
import type { Stored, TenantId } from '../storage/records.ts'
import type { RoundRobin } from './conversations/choose-assignee.ts'

/** A member of the team or a program, after authentication. */
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

/** A visitor of a chat widget. Its session may be ten seconds old: read it again before a write. */
export interface Visitor {
  type: 'visitor'
  /** The session's. */
  _id: string
  session: WidgetSession
  inbox: InboxRecord
  isSuspended: boolean
  /** None: only the operations of the widget accept a visitor. */
  permissions: readonly Permission[]
}

/** The caller of a request, after authentication. */
export type Caller = Actor | Visitor

/** The callers that an operation accepts. */
export type CallerOf<O extends Operation> = O['auth'] extends { readonly kind: 'widgetSession' }
  ? Visitor
  : Actor

/** The services that a handler may use besides its tenant's storage. */
export interface Services {
  attachments: Pick<AttachmentStore, 'read' | 'sizeOf'>
  secrets: SecretBox
  checkDestination: CheckDestination
  sender: HttpSender
  sources: Sources
  invites: Pick<InviteTokens, 'newInvite'>
  roundRobin: RoundRobin
  /** Undefined: no provider is set up, and this is production. */
  telephony: TelephonyProvider | undefined
  mail: MailSettings
  mailSender: Pick<MailSender, 'checkServer' | 'probe'>
  mailSource: Pick<MailSource, 'probe'>
  dns: DnsRecords
  presence: PresentUsers
  version: string
}

/** The users who have conversations open, as far as this process knows. */
export interface PresentUsers {
  /** Returns the users at a conversation, the first one first. */
  listPresent(at: { tenantId: TenantId; conversationId: string }): Promise<Presence[]>
}

/** The caller has a conversation open, or has left it (`none`). */
export interface PresenceChange {
  conversationId: string
  state: PresenceState | 'none'
}

export interface HandlerContext<A extends Caller = Actor> {
  tenantId: TenantId
  /** Limits that the operator has set for the tenant; see `limitOf`. */
  tenantLimits: TenantLimits | undefined
  store: TenantStore
  actor: A
  ids: IdFactory
  /** The time of this run, ISO 8601, for everything that it writes. */
  now: string
  requestId: string
  /** The path of the service's address, without a slash at its end: empty, or such as `/support`. */
  mountPath: string
  /** The address of the service: the configured one, or the one at which this connection arrived. */
  serviceUrl: string
  services: Services
}

/** A note for the audit log, committed with the change it describes. */
export interface AuditNote<Action extends string = string> {
  /** An audit entry that the operation declares. */
  action: Action
  target: { type: string; _id: string }
  reason?: string | null
  /** Paths of the fields that changed. Never their values. */
  changed?: readonly string[]
}

/** The decision of a handler. The handler commits nothing itself: `run-handler` does, once. */
export interface Outcome<O extends Operation> {
  reply: ReplyOf<O>
  /** The HTTP status, only where it differs from the operation's own. */
  status?: number
  change?: Change
  audit?: AuditNote<AuditActionOf<O>>
  /** Sent after the commit. */
  live?: readonly LiveSignal[]
  /** Applied after the commit. */
  presence?: PresenceChange
}

/**
 * The server's part of an operation: it reads, decides and returns the outcome. It runs again on fresh rows when its
 * commit conflicts, so it has no effect of its own.
 */
export type Handler<O extends Operation> = (
  ctx: HandlerContext<CallerOf<O>>,
  input: InputOf<O>,
) => Promise<Outcome<O>>

/** Checks of a body what its schema cannot check. Throws VALIDATION_ERROR with all problems at once. */
export type BodyCheck = (
  ctx: { now: string; services: Pick<Services, 'checkDestination'> },
  /** The fields that are valid by the schema. */
  fields: Readonly<Record<string, unknown>>,
) => void

/** An event as a stream sends it: the stored bytes, and the position from which a reader continues. */
export interface StreamedEvent {
  position: string
  type: string
  body: string
  /** When it was committed. */
  timestamp: string
}

/** The events of a stream, page by page. */
export interface EventFeed {
  /** The position after which the stream begins. */
  readonly start: string
  /** Returns the events after a position that the caller may see now; empty when there are none yet. */
  read(from: { after: string; actor: Caller }): Promise<readonly StreamedEvent[]>
  /** Returns the position up to which the last read has looked, where it may be ahead of the last event. */
  position?(): string
  /** Whether a stream without live events also gets the signs that a visitor types. */
  hearsTyping?(actor: Caller): boolean
  /** The live events of the stream; absent for a stream without any. */
  live?: readonly LiveEventType[]
}

export interface StreamContext<A extends Caller = Actor>
  extends Pick<HandlerContext<A>, 'store' | 'actor' | 'mountPath'> {
  /** The `Last-Event-ID` header. */
  lastEventId: string | undefined
}

/** The server's part of an operation whose response is a stream. It writes nothing, so nothing is committed. */
export type StreamHandler<O extends Operation> = (
  ctx: StreamContext<CallerOf<O>>,
  input: InputOf<O>,
) => Promise<EventFeed>

/** The events that a request waits for, and how long. */
export interface Poll<O extends Operation> {
  feed: EventFeed
  waitMs: number
  reply(events: readonly StreamedEvent[]): ReplyOf<O>
}

/** The server's part of an operation whose response waits for an event. */
export type PollHandler<O extends Operation> = (
  ctx: StreamContext<CallerOf<O>>,
  input: InputOf<O>,
) => Promise<Poll<O>>

/** A file as the response to a download. */
export interface Download {
  /** The name of the download in the log, without personal data. */
  logName: string
  filename: string
  contentType: string
  /** In bytes; undefined when the file is generated while it is sent. */
  size?: number
  /** Written before the first byte is sent. */
  audit?: AuditNote
  /** Returns the bytes, which are read no faster than the client takes them. Not called for a HEAD request. */
  open(): Promise<AsyncIterable<Uint8Array | string>>
}

export interface DownloadContext<A extends Caller = Actor>
  extends Pick<HandlerContext<A>, 'store' | 'actor' | 'now' | 'services'> {
  /** The memberships of a person cross tenants, and so does the person's right to know them. */
  listMemberships: SystemStore['listMemberships']
}

/** The server's part of an operation whose response is a file. Throws every failure before the response begins. */
export type DownloadHandler<O extends Operation> = (
  ctx: DownloadContext<CallerOf<O>>,
  input: InputOf<O>,
) => Promise<Download>

/** Returns the signed-in user of an operation that API keys cannot call. */
export function userOf(ctx: Pick<HandlerContext, 'actor'>): Extract<Actor, { type: 'user' }> {
  if (ctx.actor.type !== 'user') throw new Error('This operation is declared for sessions')
  return ctx.actor
}

/** The services that only handlers which work across tenants may use. */
export interface SystemServices extends Services {
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
  /** `normalizeEmail` of the address. */
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
