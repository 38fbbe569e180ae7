import type { Failure, InputOf, Operation, QuotaUse } from '@crmkit/core'
import type { Change } from '../ports/change.ts'
import type { Passwords } from '../ports/passwords.ts'
import type { SessionTokens } from '../ports/session-tokens.ts'
import type { SignInAttempts } from '../ports/sign-in-attempts.ts'
import type { TenantReads } from '../ports/storage.ts'
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
  /** Whether the process was asked to stop and serves what still arrives (`CRM_DRAIN_SECONDS`). */
  isStopping(): boolean
  /** Seconds since this process started to serve. */
  uptimeSeconds(): number
  passwords: Passwords
  attempts: SignInAttempts
  tokens: SessionTokens
  quotas: Quotas
  registration: 'open' | 'first' | 'off'
  /** Whether the first registration needs the setup token. */
  needsSetupToken: boolean
}

export interface Quotas {
  /** Returns the use and the limit of every quota of a tenant. */
  use(tenant: {
    tenantId: TenantId
    tenantLimits: TenantLimits | undefined
  }): Promise<Record<string, QuotaUse>>
}

/** A request of a visitor who has no session yet, or wants another one. */
export interface WidgetRequest {
  tenantId: TenantId
  tenantLimits: TenantLimits | undefined
  inbox: Stored<InboxRecord>
  /** The visitor whose session the request names; undefined without one, or when it has ended. */
  visitor: Visitor | undefined
  /** The origin of the page that asks, as its browser says; undefined for a program and for the widget's own frame. */
  pageOrigin: string | undefined
  /** Counts a new session, once for each request. Throws RATE_LIMIT_EXCEEDED. */
  countSession(of: { address: string } | { personId: string }): Promise<void>
}

/** The context of handlers that work across tenants: the system store, and a tenant's store only with a session. */
export interface SystemContext
  extends Omit<HandlerContext, 'services' | 'store' | 'tenantId' | 'tenantLimits' | 'actor'> {
  system: Omit<SystemStore, 'commit'>
  forTenant(id: TenantId): TenantReads
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

export interface SystemOutcome<O extends Operation> extends Omit<Outcome<O>, 'change' | 'next'> {
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
