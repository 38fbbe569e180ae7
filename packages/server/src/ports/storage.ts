import type { Conversation, EventType, Role } from '@crmkit/core'
import type { ApiKeyRecord } from '../storage/kinds/api-keys.ts'
import type { AttachmentRecord } from '../storage/kinds/attachments.ts'
import type { AttemptRecord, WebhookCounts } from '../storage/kinds/attempts.ts'
import type { EventRecord } from '../storage/kinds/events.ts'
import type { Identity } from '../storage/kinds/identities.ts'
import type {
  ErasedKind,
  Kind,
  ListedKind,
  OwnedKind,
  Records,
  TenantKind,
} from '../storage/kinds/registry.ts'
import type { Session } from '../storage/kinds/sessions.ts'
import type { TaskRecord } from '../storage/kinds/tasks.ts'
import type { UsageRecord } from '../storage/kinds/usage.ts'
import type { UserRecord } from '../storage/kinds/users.ts'
import type {
  AttemptResult,
  ClaimedQueue,
  DeliveryQueue,
  LoggedEvent,
  PlannedQueue,
  Stored,
  TenantId,
} from '../storage/records.ts'
import type { Change } from './change.ts'
import type { ListFilter, PageOf, Paging } from './pages.ts'

/**
 * All that the service asks of a database. Every method is asynchronous and belongs to one of two
 * worlds: a `TenantStore`, which cannot name another tenant, or the `SystemStore`, the complete list of
 * what crosses tenants. Two adapters keep this promise, proven by `storage.contract.ts`.
 */
export interface Storage {
  forTenant(id: TenantId): TenantStore
  readonly system: SystemStore
  /** Whether a commit gives its events their positions; if not, `system.sequenceEvents` has to be called. */
  readonly eventPositions: 'with-commit' | 'after-commit'
  /**
   * Calls back after every commit that was made through this object and is durable.
   * The listener must not throw. Caches, the scheduler and the event stream hang on it.
   */
  onCommitted(listener: (commit: Committed) => void): void
  /** Creates or upgrades what the adapter needs. Idempotent; safe when two processes call it at once. */
  migrate(): Promise<void>
  /** Finishes running work and releases every resource. */
  close(): Promise<void>
}

export interface Committed {
  tenantId: TenantId
  change: Change<Kind>
  /** How many pending attempts this commit made. */
  deliveries: number
}

interface Reads<K extends Kind> {
  find(id: string): Promise<Stored<Records[K]> | undefined>
}

interface Lists<K extends ListedKind> {
  list(filter: ListFilter<K>): Promise<PageOf<Records[K]>>
}

/** The reads of every kind that a tenant has, as it is declared in `storage/kinds/`. */
export type KindStores = {
  readonly [K in TenantKind]: K extends ListedKind ? Reads<K> & Lists<K> : Reads<K>
}

/** One tenant's data. No method takes a tenant id; none can see or touch another tenant's rows. */
export interface TenantStore extends KindStores {
  readonly tenantId: TenantId
  readonly messages: KindStores['messages'] & {
    findByClientMessageId(
      conversationId: string,
      clientMessageId: string,
    ): Promise<Stored<Records['messages']> | undefined>
  }
  readonly users: KindStores['users'] & {
    /** An active user with this role who is not the given one. */
    findOther(filter: { role: Role; except: string }): Promise<Stored<UserRecord> | undefined>
  }
  readonly webhooks: KindStores['webhooks'] & {
    count(): Promise<number>
    /** The counts of these webhooks, in no order; none for a webhook without a result. */
    counts(ids: readonly string[]): Promise<WebhookCounts[]>
  }
  readonly attempts: {
    find(id: string): Promise<AttemptRecord | undefined>
    /** The latest attempt of each of these events at the webhook, in no order; none for an event that has none. */
    listLatest(of: { webhookId: string; eventIds: readonly string[] }): Promise<AttemptRecord[]>
    /** Newest first. */
    list(
      filter: { webhookId: string; status?: string | undefined } & Paging,
    ): Promise<Omit<PageOf<AttemptRecord>, 'rows'> & { rows: AttemptRecord[] }>
    /** Writes an attempt that was made outside the schedule (the webhook test), already finished. */
    record(attempt: AttemptRecord): Promise<void>
  }
  readonly events: {
    find(id: string): Promise<EventRecord | undefined>
    /**
     * The log: events of these types behind a position, oldest first; without one from the oldest that is kept.
     * Who goes on from the last position misses none, in whatever order commits end: an event is never shown
     * before another one whose position is lower. `InvalidCursor` for a position that was not given yet.
     */
    read(from: {
      after?: string | undefined
      types: readonly EventType[]
      limit: number
    }): Promise<LoggedEvent[]>
    /** A position behind which every event of this moment or later stands; undefined: the log's start. */
    positionBefore(timestamp: string): Promise<string | undefined>
    /** Where the log ends now; undefined when no event is kept. */
    newestPosition(): Promise<string | undefined>
  }
  readonly erasedLinks: {
    /** Those of these ids of elsewhere whose rows were erased here, in no order. */
    listAmong(of: { kind: OwnedKind | ErasedKind; externalIds: readonly string[] }): Promise<string[]>
  }
  readonly usage: {
    /** Requests in a month, by method and path: of one key, or (null) of the whole tenant. */
    list(filter: { month: string; apiKeyId: string | null }): Promise<UsageRecord[]>
  }
  /** What `Change.expectTenantVersion` is compared with; 0 for a tenant that does not exist. */
  version(): Promise<number>
  commit(change: Change): Promise<void>
  /**
   * The next rows of an erasure whose task is there, in one commit; answers how many. 0: nothing is left, or
   * there is no such task.
   */
  eraseNext(of: { kind: ErasedKind; id: string; at: string; limit: number }): Promise<number>
}

/** A name under which at most one holder works at a time. */
export interface Lease {
  name: string
  /** Tells this process from every other one. */
  holder: string
}

/** All claims of one name ask for the same time. */
export interface LeaseClaim extends Lease {
  now: string
  leaseMs: number
}

/** Requests to add to the counters of a month, for a key or (null) for the whole tenant. */
export interface UsageIncrement {
  tenantId: TenantId
  /** `YYYY-MM`, UTC. */
  month: string
  apiKeyId: string | null
  method: string
  path: string
  requests: number
}

/** The complete list of what crosses tenants. Only authentication and background work hold it. */
export interface SystemStore {
  findApiKeyByHash(keyHash: string): Promise<{ tenantId: TenantId; apiKey: ApiKeyRecord } | undefined>
  /** What tells this installation's data from all others, the same in every process. Letters and digits. */
  installationId(): Promise<string>
  /** Whether any tenant exists. */
  hasTenants(): Promise<boolean>
  findTenant(id: string): Promise<(Stored<Records['tenants']> & { tenantId: TenantId }) | undefined>
  /** Tenants in the order of their ids, behind the id `after`. */
  listTenants(page: {
    after: string
    limit: number
  }): Promise<(Stored<Records['tenants']> & { tenantId: TenantId })[]>
  findSession(id: string): Promise<{ tenantId: TenantId; session: Stored<Session> } | undefined>
  findIdentity(id: string): Promise<Stored<Identity> | undefined>
  /** The oldest identities of an e-mail, at most `identitiesPerEmail`, oldest first. */
  listIdentitiesByEmail(emailNormalized: string): Promise<Stored<Identity>[]>
  /** The user with this e-mail in a tenant that a caller names, which may not exist. */
  findMember(of: {
    tenantId: string
    email: string
  }): Promise<{ tenantId: TenantId; user: Stored<UserRecord> } | undefined>
  /** The identity's users in all tenants, oldest first. */
  listMemberships(identityId: string): Promise<{ tenantId: TenantId; user: Stored<UserRecord> }[]>
  /** As `TenantStore.commit`, with the kinds that only authentication may write. */
  commit(tenantId: TenantId, change: Change<Kind>): Promise<void>
  /**
   * The delivery queues of active webhooks in which attempts are pending, one entry each however many wait there, in an
   * order of their own; of one tenant or of all, in pages. `limit` bounds the work: a page may hold fewer, and
   * only `next` tells whether there are more. Empty while another process makes the deliveries of this storage.
   * Queues of a suspended tenant are left out: their attempts stay pending until it is resumed.
   */
  listDeliveryQueues(query: {
    tenantId?: TenantId | undefined
    after?: string | null | undefined
    limit: number
  }): Promise<{ deliveryQueues: PlannedQueue[]; next: string | null }>
  /**
   * Leases attempts that are due, at most `limit` of each delivery queue, the longest due first: each goes to exactly
   * one caller until `leaseMs` from now is over. Answers delivery queue by delivery queue in the order asked; a delivery queue of an inactive
   * or removed webhook, or of a suspended tenant, is empty.
   */
  claimDueAttempts(claim: {
    now: string
    leaseMs: number
    lockToken: string
    deliveryQueues: readonly (DeliveryQueue & { limit: number })[]
  }): Promise<ClaimedQueue[]>
  /**
   * Writes results of claimed attempts, each with the attempt that follows it, all in one commit, and counts them
   * for their webhooks. A result whose lock was lost is dropped. Returns how many were written.
   */
  finishAttempts(results: readonly AttemptResult[]): Promise<number>
  /**
   * For a clock that was set back: pending attempts that were planned later than now (by more than the clocks of
   * machines differ) are planned anew, each with the wait that it was given, from now. At most `limit`; answers
   * how many it found, so that fewer than `limit` were the last. An attempt that is under way is left alone.
   */
  replanAttempts(bound: { now: string; limit: number }): Promise<number>
  /** Snoozed conversations whose time has come, longest overdue first. Not leased: the wake-up checks the version. */
  listDueSnoozes(
    now: string,
    limit: number,
  ): Promise<{ tenantId: TenantId; conversation: Stored<Conversation> }[]>
  /** When the earliest snooze is due; null when there is none. */
  nextSnoozeAt(): Promise<string | null>
  /** Attachments that nobody can need any more (`attachmentDueAt`), longest due first. Not leased: who removes one names its version. */
  listDueAttachments(
    now: string,
    limit: number,
  ): Promise<{ tenantId: TenantId; attachment: Stored<AttachmentRecord> }[]>
  /** Unfinished tasks of all tenants, oldest first. Not leased: who does them holds a lease. */
  listTasks(limit: number): Promise<{ tenantId: TenantId; task: TaskRecord }[]>
  /**
   * Whether the caller holds the lease until `leaseMs` from now: takes a free or expired one, renews its own.
   * A holder that was stopped for longer than its lease may still believe in it; work that such a one could
   * spoil needs a guard of its own.
   */
  takeLease(claim: LeaseClaim): Promise<boolean>
  /** Frees the lease for others at once; nothing happens when another one holds it. */
  releaseLease(lease: Lease): Promise<void>
  /**
   * Gives committed events their positions in the log, at most `limit`; events of one tenant that it finds together
   * in the order of their ids. Answers how many, and whose. Any number of callers spoil nothing, also one that
   * was stopped half-way and goes on much later; but one at a time is fastest.
   */
  sequenceEvents(limit: number): Promise<{ count: number; tenantIds: TenantId[] }>
  /** Removes at most `limit` rows that have outlived their keep: idempotency replies, ended sessions, attempts, events. */
  removeExpired(keep: { now: string; logsBefore: string; limit: number }): Promise<number>
  /** Records the last use of keys, at most once a minute each; not an `update`, changes no version. */
  touchApiKeys(uses: readonly { tenantId: TenantId; id: string; at: string }[]): Promise<void>
  /**
   * Adds to the usage counters, outside of all commits, so that no request waits for a counter that its
   * whole tenant shares. Answers those that could not be added, to be tried again; never rejects.
   */
  addUsage(increments: readonly UsageIncrement[]): Promise<readonly UsageIncrement[]>
  /** Rejects with `StorageUnavailable` when the database cannot be read and written. */
  ping(): Promise<void>
}
