import type { EventType, Role } from '@crmkit/core'
import type { DatabaseUpgraded } from '../storage/errors.ts'
import type { AttemptRecord, WebhookCounts } from '../storage/kinds/attempts.ts'
import type { EventRecord } from '../storage/kinds/events.ts'
import type {
  ErasedKind,
  Kind,
  ListedKind,
  OwnedKind,
  Records,
  TenantKind,
} from '../storage/kinds/registry.ts'
import type { RequestMetricsRecord } from '../storage/kinds/request-metrics.ts'
import type { UsageRecord } from '../storage/kinds/usage.ts'
import type { UserRecord } from '../storage/kinds/users.ts'
import type { LabelCounts, LabelRange } from '../storage/label-counts.ts'
import type { Matches, MatchQuery, SearchedKind } from '../storage/match-query.ts'
import type { ConversationFilter, ListFilter, PageOf, Paging, RowsOf } from '../storage/pages.ts'
import type { LoggedEvent, Stored, TenantId } from '../storage/records.ts'
import type { Change } from './change.ts'
import type { SystemStore } from './system-store.ts'

/**
 * The storage port: every database call of the service. Every method is asynchronous and belongs to one of two
 * interfaces: a `TenantStore`, which cannot name another tenant, or the `SystemStore`, the complete list of calls
 * that cross tenants. Two adapters implement the port; `storage.contract.ts` tests both.
 */
export interface MigrateOptions {
  /** Upgrades although processes of an earlier version use the database. */
  besideEarlier?: boolean
}

export interface Storage {
  forTenant(id: TenantId): TenantStore
  readonly system: SystemStore
  /** When events get their positions: with their commit, or later, by `system.sequenceEvents`. */
  readonly eventPositions: 'with-commit' | 'after-commit'
  /**
   * Calls the listener after every commit that was made through this object and is durable. The listener must not
   * throw. Caches, the job queue and the event stream depend on it.
   */
  onCommitted(listener: (commit: Committed) => void): void
  /** Reads the webhooks of this tenant again before they are used, or those of every tenant: another process may have changed them. */
  forgetWebhooks(tenantId: TenantId | null): void
  /** Returns advice on settings of the database that an operator should change, each as a sentence. */
  advice(): Promise<readonly string[]>
  /** Creates or upgrades what the adapter needs. Idempotent; safe when two processes call it at once. */
  migrate(options?: MigrateOptions): Promise<void>
  /**
   * Resolves when another process has made an upgrade after which this version may not serve. Every call rejects with the same
   * error from then on.
   */
  readonly upgraded: Promise<DatabaseUpgraded>
  /** Finishes running work and releases every resource. */
  close(): Promise<void>
}

export interface Committed {
  tenantId: TenantId
  change: Change<Kind>
  /** How many pending attempts this commit created. */
  deliveries: number
  /** From the call to the moment at which the commit was durable. */
  durationMs: number
}

interface Reads<K extends Kind> {
  find(id: string): Promise<Stored<Records[K]> | undefined>
  /** Returns the rows of these ids as `find` does, in no order; none for an id that it does not find. On MongoDB it is one command. */
  findAll(ids: readonly string[]): Promise<Stored<Records[K]>[]>
}

interface Lists<K extends ListedKind> {
  list(filter: ListFilter<K>): Promise<PageOf<Records[K]>>
  /** Reads a page and counts nothing: a count reads up to 10,000 rows, on MongoDB by a command of its own. */
  listRows(filter: ListFilter<K>): Promise<RowsOf<Records[K]>>
}

/** The reads of every kind that a tenant has, as it is declared in `storage/kinds/`. */
export type KindStores = {
  readonly [K in TenantKind]: K extends ListedKind ? Reads<K> & Lists<K> : Reads<K>
}

/** One tenant's data. No method takes a tenant id; none can see or touch another tenant's rows. */
export interface TenantStore extends Omit<KindStores, 'conversations'> {
  readonly tenantId: TenantId
  readonly customers: KindStores['customers'] & {
    /**
     * Returns customers with one of these normalised e-mails, and with phone numbers of one of these ends (`phoneTail`);
     * each customer once, of each value any `limit` of them, oldest first. It reads no others, however many there are.
     */
    listByContact(contacts: ContactQuery): Promise<Stored<Records['customers']>[]>
  }
  readonly customerAddresses: KindStores['customerAddresses'] & {
    /**
     * Returns the rows of these addresses in their normal form, of each address any `limit` of them, in no order. It reads
     * no others, however many there are.
     */
    listByAddress(of: {
      addresses: readonly string[]
      limit: number
    }): Promise<Stored<Records['customerAddresses']>[]>
  }
  readonly conversations: Omit<KindStores['conversations'], 'list' | 'listRows'> & {
    list(filter: ConversationFilter): Promise<PageOf<Records['conversations']>>
    listRows(filter: ConversationFilter): Promise<RowsOf<Records['conversations']>>
    /**
     * Counts the labels of conversations that were created in a range, `usedBy` by their assignee. It takes time in
     * proportion to them, and holds neither the event loop nor any write.
     */
    countLabels(range: LabelRange): Promise<LabelCounts>
  }
  readonly messages: KindStores['messages'] & {
    findByClientMessageId(
      conversationId: string,
      clientMessageId: string,
    ): Promise<Stored<Records['messages']> | undefined>
  }
  readonly users: KindStores['users'] & {
    /** Returns an active user with this role, other than `except`; undefined when there is none. */
    findOther(filter: { role: Role; except: string }): Promise<Stored<UserRecord> | undefined>
  }
  readonly webhooks: KindStores['webhooks'] & {
    count(): Promise<number>
    /**
     * Returns whether an active webhook hears the type of event, mostly from memory: what another process has changed is seen with
     * its notice (`Storage.forgetWebhooks`), and after ten seconds without one.
     */
    hears(type: EventType): Promise<boolean>
    /** Returns the counts of these webhooks, in no order; none for a webhook without any result. */
    counts(ids: readonly string[]): Promise<WebhookCounts[]>
  }
  /**
   * Finds rows for people who search: the newest ones among a bounded number of candidates, in a bounded time. It counts nothing, and
   * holds neither the event loop nor any write.
   */
  findMatches<K extends SearchedKind>(kind: K, query: MatchQuery): Promise<Matches<K>>
  readonly attempts: {
    find(id: string): Promise<AttemptRecord | undefined>
    /** Returns the latest attempt of each of these events at the webhook, in no order; none for an event without any. */
    listLatest(of: { webhookId: string; eventIds: readonly string[] }): Promise<AttemptRecord[]>
    /** Lists the attempts at a webhook, newest first. */
    list(
      filter: { webhookId: string; status?: string | undefined } & Paging,
    ): Promise<Omit<PageOf<AttemptRecord>, 'rows'> & { rows: AttemptRecord[] }>
    /** Stores a finished attempt that was made outside the schedule (the webhook test). */
    record(attempt: AttemptRecord): Promise<void>
  }
  readonly events: {
    find(id: string): Promise<EventRecord | undefined>
    /**
     * Reads the log: events of these types after a position, oldest first; without a position from the oldest stored
     * event. A reader that continues from the last position misses no event, in whatever order commits end: no event
     * is shown before another one with a lower position. `InvalidCursor` for a position that was not given yet.
     */
    read(query: EventLogQuery): Promise<LoggedEvent[]>
    /** Returns a position that every event of this moment or later comes after; undefined for the log's start. */
    positionBefore(timestamp: string): Promise<string | undefined>
    /** Returns the position of the newest event; undefined when no event is stored. */
    newestPosition(): Promise<string | undefined>
  }
  readonly erasedLinks: {
    /** Returns the subset of `externalIds` whose rows were erased (their tombstones), in no order. */
    listAmong(of: { kind: OwnedKind | ErasedKind; externalIds: readonly string[] }): Promise<string[]>
  }
  readonly usage: {
    /** Returns the requests of a month by method and path: of one key, or (null) of the whole tenant. */
    list(filter: { month: string; apiKeyId: string | null }): Promise<UsageRecord[]>
    /** Returns the outcomes and the response times of a month; undefined for a month without requests. */
    findMetrics(month: string): Promise<RequestMetricsRecord | undefined>
  }
  /**
   * Counts what the tenant uses of a quota, by its name in `quotaRules`: all rows, the hidden ones too. It takes time
   * in proportion to them, and holds neither the event loop nor any write. Also the name of a limit of days: its rows since a
   * moment, of all inboxes or of one.
   */
  usedOf(quota: string, of?: { since: string; inboxId?: string }): Promise<number>
  /** Returns the number that `Change.expectTenantVersion` is compared with; 0 for a tenant that does not exist. */
  version(): Promise<number>
  /** Returns what the tenant says about phone numbers; undefined when it says nothing. */
  phones(): Promise<TenantPhones | undefined>
  commit(change: Change): Promise<void>
  /**
   * Deletes the next rows of an erasure whose task exists, in one commit, and returns how many. 0: nothing is left,
   * or there is no such task. Of rows that stay, it redacts the next events and deletes the next replies about them.
   */
  eraseNext(page: ErasurePage | MentionsPage): Promise<number>
}

/** The store of a tenant for code that decides and returns a change: somebody else commits it, once. */
export type TenantReads = Omit<TenantStore, 'commit'>

export interface TenantPhones {
  /** The country in which numbers without one are read, as an ISO 3166 code; null: unknown. */
  country: string | null
  /** The tenant's own numbers in E.164 form. */
  numbers: readonly string[]
}

export interface ContactQuery {
  emails: readonly string[]
  phoneTails: readonly string[]
  limit: number
}

export interface EventLogQuery {
  /** Undefined: from the oldest stored event. */
  after?: string | undefined
  types: readonly EventType[]
  limit: number
}

/** One page of what is stored about rows that stay. */
export interface MentionsPage {
  /** Ids of the rows. */
  about: readonly string[]
  /** In lower case: only events and replies whose text holds it. Null: all of them. */
  naming: string | null
  /** Only what is not newer; pending attempts end at this moment. */
  at: string
  limit: number
}

/** One page of an erasure whose task exists. */
export interface ErasurePage {
  kind: ErasedKind
  id: string
  at: string
  limit: number
}
