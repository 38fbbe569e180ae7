import type {
  AuditActionOf,
  IdFactory,
  InputOf,
  Operation,
  Presence,
  PresenceState,
  ReplyOf,
} from '@crmkit/core'
import type { ProvenAddresses } from '../mail/addresses/proven-addresses.ts'
import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { Change } from '../ports/change.ts'
import type { Connectors } from '../ports/connectors.ts'
import type { DnsRecords } from '../ports/dns-records.ts'
import type { CheckDestination, HttpSender } from '../ports/http-sender.ts'
import type { LiveSignal } from '../ports/live.ts'
import type { MailSender, MailSettings } from '../ports/mail-sender.ts'
import type { MailSignIns } from '../ports/mail-sign-in.ts'
import type { MailSource } from '../ports/mail-source.ts'
import type { MailTokens } from '../ports/mail-tokens.ts'
import type { OpenScratch } from '../ports/scratch.ts'
import type { SecretBox } from '../ports/secret-box.ts'
import type { InviteTokens } from '../ports/session-tokens.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { TelephonyProvider } from '../ports/telephony-provider.ts'
import type { TenantLimits } from '../storage/kinds/tenants.ts'
import type { TenantId } from '../storage/records.ts'
import type { Actor, Caller, CallerOf } from './caller.ts'

/** The round-robin counters of this process. They are in memory, so that requests share no row. */
export interface RoundRobin {
  /** Counts up for each name, and returns the count. */
  next(name: string): number
}

/** The services that a handler may use besides its tenant's storage. */
export interface Services {
  attachments: Pick<AttachmentStore, 'read' | 'sizeOf' | 'fileOf'>
  openScratch: OpenScratch
  secrets: SecretBox
  checkDestination: CheckDestination
  sender: HttpSender
  sources: Connectors
  invites: Pick<InviteTokens, 'newInvite'>
  roundRobin: RoundRobin
  /** Undefined: no provider is set up, and this is production. */
  telephony: TelephonyProvider | undefined
  mail: MailSettings
  mailSender: Pick<MailSender, 'checkServer' | 'probe'>
  mailSource: Pick<MailSource, 'probe'>
  mailSignIns: MailSignIns
  mailTokens: MailTokens
  dns: DnsRecords
  provenAddresses: ProvenAddresses
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
  store: TenantReads
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

interface Note<Action extends string> {
  /** An audit entry that the operation declares. */
  action: Action
  target: { type: string; _id: string }
  reason?: string | null
  /** Paths of the fields that changed. Never their values. */
  changed?: readonly string[]
}

/** A note for the audit log, committed with the change it describes. One of an update says what changed. */
export type AuditNote<Action extends string = string> = Action extends `${string}.updated`
  ? Note<Action> & { changed: readonly string[] }
  : Note<Action>

/** The decision of a handler. The handler commits nothing itself: `run-handler` does, once unless there is a next part. */
export interface Outcome<O extends Operation> {
  reply: ReplyOf<O>
  /** The HTTP status, only where it differs from the operation's own, as the operation declares. */
  status?: Extract<O['statusOfRepeat'], number>
  change?: Change
  audit?: AuditNote<AuditActionOf<O>>
  /** Sent after the commit. */
  live?: readonly LiveSignal[]
  /** Applied after the commit. */
  presence?: PresenceChange
  /**
   * For work that is too much for one commit: the next part, which decides when this change is committed. Only the last
   * part is replied with and noted for a repeated request, so a repeat after a crash must find the earlier ones done.
   */
  next?: Handler<O>
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
