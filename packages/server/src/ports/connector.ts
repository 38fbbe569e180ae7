import type { BalancedModule } from '@crmkit/core/vocabulary'
import type { IntegrationRecord } from '../storage/kinds/integrations.ts'

/** Reads the records of an external CRM or of uploaded files. One adapter for each provider; the import engine decides. */
export interface Connector {
  readonly provider: ConnectorProvider
  /** Opens one account. It makes no request. */
  open(account: SourceAccount): SourceConnection
}

export type ConnectorProvider = 'file' | 'zoho' | 'hubspot' | 'package'

/** The modules of a source, parents before children: an import reads them in this order. */
export const sourceModules = [
  'Accounts',
  'Contacts',
  'Leads',
  'Deals',
  'Cases',
  'Notes',
  'Emails',
  'Calls',
  'Events',
  'Tasks',
] as const
export type SourceModule = (typeof sourceModules)[number]
/** `people`: of a package, which no connector reads. */
export type RecordModule = SourceModule | 'people'

/** The account of an integration, as its connector needs it. */
export interface SourceAccount {
  readonly tenantId: string
  readonly integrationId: string
  /** Origin of the API, `https://host[:port]`; null for files. */
  readonly apiDomain: string | null
  /** Origin of the token endpoint; null for files and static tokens. */
  readonly accountsServer: string | null
  /** Null for files. */
  readonly tokens: TokenKeeper | null
  /** How dates and phone numbers without their own are read. */
  readonly timeZone: string | null
  readonly dateOrder: 'dmy' | 'mdy' | 'ymd'
  /** Whether a person chose it. */
  readonly isDateOrderChosen: boolean
  /** The order that a person chose for a column, by module and header. */
  readonly dateOrders: Readonly<Record<string, Readonly<Record<string, 'dmy' | 'mdy' | 'ymd'>>>>
  readonly defaultCountry: string | null
  /** Header to target, for each module of a file integration. */
  readonly mapping: Readonly<Record<string, Readonly<Record<string, string | null>>>>
  /** The meanings that a person gave to words, by module and target. */
  readonly values: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>
}

/** The credentials of one integration, encrypted at rest. */
export interface SourceTokens {
  readonly clientId: string | null
  readonly clientSecret: string | null
  /** Null for a static token. */
  readonly refreshToken: string | null
  readonly accessToken: string | null
  /** Null: the access token does not expire, or is absent. */
  readonly accessTokenExpiresAt: string | null
  /** As long as it was valid when it was made, in seconds; null when unknown. */
  readonly lifetimeSeconds: number | null
}

/** Keeps the tokens of one integration, with at most one refresh at a time over all processes. */
export interface TokenKeeper {
  /** Returns the stored tokens. */
  read(): Promise<SourceTokens>
  /**
   * Replaces `used`. When another caller replaced it already, returns the newer tokens without a call of `refresh`.
   */
  replace(
    used: SourceTokens,
    refresh: (current: SourceTokens) => Promise<SourceTokens>,
  ): Promise<SourceTokens>
}

/**
 * One open account. Every method makes each request once and throws a `SourceFailure` when it fails: the engine
 * decides about retries, waits and pauses. `signal` ends a request that is under way.
 */
export interface SourceConnection {
  /** The account at the source: at most one request beyond a token refresh. */
  identify(signal: AbortSignal): Promise<SourceIdentity>
  /** The modules that this grant may read, in one request; absent where all are readable. */
  modules?(signal: AbortSignal): Promise<readonly { module: SourceModule; readable: boolean }[]>
  /** Modules that no account of this source has: a run does not name them. */
  readonly lacks?: readonly SourceModule[]
  /** The fields of a module, for people who look at the mapping. */
  describe(module: SourceModule, signal: AbortSignal): Promise<SourceField[]>
  /** An estimate of the records in the window; null when the source cannot say. */
  count(module: SourceModule, window: SourceWindow, signal: AbortSignal): Promise<number | null>
  /**
   * The records of a module, oldest change first where the source can order them, in pages of at most 200. `from` is
   * the `next` of the last page that was committed, null for the beginning: after a crash at most one page is imported again.
   * A record may come twice; none may be missed, also when records change or are deleted between two pages.
   */
  pages(
    module: SourceModule,
    options: { window: SourceWindow; from: SourcePosition | null; signal: AbortSignal },
  ): AsyncIterable<SourcePage>
  /** The records with these ids, at most 100, without those that the source no longer has. */
  byIds(module: SourceModule, ids: readonly string[], signal: AbortSignal): Promise<SourceRecord[]>
  /** Ids that were deleted at the source since then, in pages; empty for a module for which the source cannot say. */
  deleted(
    module: SourceModule,
    since: string,
    signal: AbortSignal,
  ): AsyncIterable<readonly { id: string; deletedAt: string | null; mergedInto?: string }[]>
  close(): Promise<void>
}

export interface SourceIdentity {
  id: string
  name: string | null
  email: string | null
  /** ISO 3166 code of the organisation's country, for phone numbers without `+`. */
  country: string | null
  timeZone: string | null
}

export interface SourceField {
  apiName: string
  label: string
  type: string
  required: boolean
  readOnly: boolean
  custom: boolean
  maxLength: number | null
  options: { value: string; label: string }[]
  lookupModule: string | null
  /** The field here: `firstName`, `customFields.zoho.X`; null when it is not imported. */
  mappedTo: string | null
}

/** Moments of the last change at the source, ISO in UTC. */
export interface SourceWindow {
  /** Included; null for no bound. */
  readonly since: string | null
  /** Excluded; null for no bound. */
  readonly before: string | null
}

/** The checkpoint within a module, stored on the run as JSON; only its connector reads it. */
export type SourcePosition = Readonly<Record<string, unknown>>

export interface SourcePage {
  readonly records: readonly SourceRecord[]
  /** Rows of a file that are no record and hold an error, such as a line that is not JSON. */
  readonly unreadable?: readonly UnreadableRow[]
  readonly leftOut?: readonly LeftOutRow[]
  /** Of a file: the figures of its balance that no record has. */
  readonly file?: PageOfFile
  /** Null when the module is complete. */
  readonly next: SourcePosition | null
  /** The clock of the source when it sent the page, ISO; null when it sent none. */
  readonly sourceTime: string | null
}

/** All rows of a page of a file, by their position. */
export interface PageOfFile {
  readonly module: BalancedModule
  readonly fileId: string
  readonly filename: string
  /** The target of each column that is known so far, by its name. */
  readonly targets: ReadonlyMap<string, string | null>
  /** All rows of the page, with those that are no records. */
  readonly total: number
  readonly blank: number
  /** Lines before and behind the table, and its header. */
  readonly outside: number
}

/**
 * The use of a cell with a value: it is in its target, in a custom field, named by a warning, or in a column that a person left out.
 * `lost`: none of it, which is a fault of the program.
 */
export type CellUse = 'stored' | 'kept' | 'named' | 'leftOut' | 'lost'

export interface UnreadableRow {
  readonly row: number
  readonly code: 'INVALID_RECORD' | 'CELL_COUNT' | 'OPEN_QUOTE' | 'FILE_CUT'
  readonly message: string
}

/** A row of a file that is left out on purpose. */
export interface LeftOutRow {
  readonly row: number
  /** Of a record: its cells. */
  readonly cells?: SourceRecord['cells']
  readonly code: 'ERASED' | 'OUT_OF_RANGE' | 'OUTSIDE_TABLE'
  /** Reported once a run for its code, with the number of rows. */
  readonly message: string
}

/** A loss of a record that is imported nevertheless. The message holds no value. */
export interface SourceWarning {
  readonly code:
    | 'INVALID_VALUE'
    | 'SOURCE_TRUNCATED'
    | 'CELL_COUNT'
    | 'DATE_ORDER'
    | 'ROUNDED_ID'
    | 'UNMAPPED_VALUE'
    | 'COLUMN_NOT_STORED'
    | 'TOO_MANY_COLUMNS'
    | 'MISSING_REFERENCE'
    | 'ATTACHMENT_MISSING'
  readonly message: string
  /** The source's name of the field. */
  readonly column?: string
  /** A word of a field that holds one of a few words. */
  readonly value?: string
  /** Reported once a run for its column and value, with the number of records. */
  readonly isCounted?: true
}

/** Another row of the file with the same id. */
export interface SameIdRow {
  readonly row: number
  /** Whether all of its cells are equal too. */
  readonly isEqual: boolean
}

/** One record in the words that all sources share. Texts are as the source sent them: the engine cleans them. */
export interface SourceRecord {
  readonly module: RecordModule
  readonly id: string
  /**
   * Of a person without an id: further ids by which an earlier import may know the row, the best first. The id itself is made of the
   * e-mail address and the name.
   */
  readonly otherIds?: readonly string[]
  /** Number of the row in a file; null for other sources. */
  readonly row: number | null
  /** ISO in UTC; null when the source has none. */
  readonly createdAt: string | null
  readonly modifiedAt: string | null
  /** The page of the record at the source, for people. */
  readonly url: string | null
  /** A case's, deal's or call's person (a contact or lead). */
  readonly person: SourceLink | null
  /** The e-mail address by which a source names the person instead; it finds the one customer who has it. */
  readonly personEmail?: string | null
  /** The author of a note or a message; null where the source does not say. */
  readonly author?: SourceAuthor | null
  /** The record that a note, call, task or meeting belongs to. */
  readonly parent: SourceLink | null
  readonly fields: SourceFields
  /** All other fields by their name at the source. The engine puts them where the provider's go. */
  readonly customFields: Readonly<Record<string, unknown>>
  /** The source's name of the field `email`, under which an invalid address is kept. Default: `Email`, as in Zoho CRM. */
  readonly emailName?: string
  /** Values that the connector could not read or got cut. */
  readonly warnings: readonly SourceWarning[]
  /** The first rows before it with the same id; only the first of all that can be imported counts. */
  readonly sameId?: { readonly column: string; readonly rows: readonly SameIdRow[] }
  /** Of a row of a file: what its cells with a value are used for, by column. */
  readonly cells?: ReadonlyMap<string, CellUse>
  /** Of a row of a file: the column of each target. */
  readonly columns?: ReadonlyMap<string, string>
  /** Ids of the records that were merged into this one at the source (HubSpot). */
  readonly mergedIds?: readonly string[]
}

export interface SourceLink {
  readonly module: SourceModule
  readonly id: string
}

/** The author of a note or a message. */
export interface SourceAuthor {
  /** Id of a contact, if it is one. */
  readonly id: string | null
  readonly email: string | null
  readonly name: string | null
  readonly role: 'customer' | 'agent' | null
}

/** The mapped fields of a record. An absent or null field has no value at the source. */
export interface SourceFields {
  // Contacts and leads
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  /** Match an existing customer, and are never written to `email`. */
  secondaryEmails?: readonly string[]
  phone?: string | null
  /** Further numbers of the person: calls from them find the customer. A record keeps their texts as custom fields. */
  secondaryPhones?: readonly string[]
  company?: string | null
  jobTitle?: string | null
  // Contacts, leads, cases, deals
  tags?: readonly string[]
  // People of a package
  tier?: 'bronze' | 'silver' | 'gold' | 'platinum' | null
  customerStatus?: 'active' | 'inactive' | 'archived' | null
  isBlocked?: boolean
  // Deals, cases, calls, tasks, meetings
  subject?: string | null
  // Deals and cases
  status?: 'open' | 'pending' | 'closed' | null
  priority?: 'low' | 'medium' | 'high' | 'urgent' | null
  // Cases
  channel?: string | null
  /** ISO in UTC; of a closed case or deal. */
  closedAt?: string | null
  /** Text of the first message. */
  description?: string | null
  // Notes
  title?: string | null
  content?: string | null
  /** A reply that the customer can read, not a note of the team. */
  isReply?: boolean
  /** Whether `content` or `description` is HTML. */
  isHtml?: boolean
  ownerName?: string | null
  // Calls, tasks, meetings
  direction?: 'inbound' | 'outbound' | null
  isMissed?: boolean
  /** ISO in UTC. */
  startedAt?: string | null
  endedAt?: string | null
  durationSeconds?: number | null
  fromNumber?: string | null
  toNumber?: string | null
  notes?: string | null
}

/**
 * A request to a source that failed.
 * - `auth`: the grant was refused, and a refresh did not mend it: the person connects again.
 * - `rate`: too many requests; `retryAt` when the source said it. `quota`: a daily quota is used up.
 * - `transient`: a lost connection, a 5xx, a timeout, a redirect, a reply that is not the expected JSON.
 * - `forbidden`: this module is not readable with this grant. `fatal`: the source refuses the request as such.
 */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure'
  readonly kind: 'auth' | 'rate' | 'quota' | 'transient' | 'forbidden' | 'fatal'
  /** ISO; null when the source did not say. */
  readonly retryAt: string | null

  /** `message` never holds the source's own words, nor a token or a value. */
  constructor(kind: SourceFailure['kind'], message: string, retryAt: string | null = null) {
    super(message)
    this.kind = kind
    this.retryAt = retryAt
  }
}

/** Opens the source of an integration; it makes no request. */
export type OpenConnector = (integration: IntegrationRecord) => SourceConnection
