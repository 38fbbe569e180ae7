import type { Identity } from '../storage/kinds/identities.ts'
import type {
  AcrossName,
  ColumnAcross,
  Kind,
  KindAcross,
  Records,
  TransferKind,
} from '../storage/kinds/registry.ts'
import type { Session } from '../storage/kinds/sessions.ts'
import type { TaskRecord } from '../storage/kinds/tasks.ts'
import type { UserRecord } from '../storage/kinds/users.ts'
import type {
  AttemptResult,
  ClaimedQueue,
  DeliveryQueue,
  PlannedQueue,
  Stored,
  TenantId,
} from '../storage/records.ts'
import type { ResponseTimes } from '../storage/response-times.ts'
import type { Change } from './change.ts'

export interface DeliveryQueueQuery {
  /** Undefined: of all tenants. */
  tenantId?: TenantId | undefined
  after?: string | null | undefined
  limit: number
}

export interface AttemptClaim {
  now: string
  leaseMs: number
  lockToken: string
  /** Each with the most attempts that the caller takes from it. */
  deliveryQueues: readonly (DeliveryQueue & { limit: number })[]
}

/** At most one holder has the lease of a name at a time. */
export interface Lease {
  name: string
  /** A text that no other process uses. */
  holder: string
}

/** All claims of one name use the same `leaseMs`. */
export interface LeaseClaim extends Lease {
  now: string
  leaseMs: number
}

/** The moments before which `removeExpired` deletes rows, and how many it deletes at most. */
export interface RetentionBounds {
  /** Rows with an end of their own are deleted when it is before this moment. */
  now: string
  /** Attempts and events are deleted when they are older than this moment. */
  logsBefore: string
  limit: number
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

/** Outcomes and response times to add to those of a month. */
export interface RequestMetricsIncrement extends ResponseTimes {
  tenantId: TenantId
  /** `YYYY-MM`, UTC. */
  month: string
  requests: number
  /** Requests with a 2xx response. */
  successful: number
  /** Requests with a 4xx or 5xx response. */
  failed: number
}

/** The work that waits for background jobs. A count that is equal to the limit stands for as many or more. */
export interface Backlog {
  /** Pending attempts, also those of inactive webhooks and of suspended tenants. */
  attempts: number
  /** Without those that upgrade rows. */
  tasks: number
  /** Null: there is no such task. */
  oldestTaskAt: string | null
  /** Events that the log does not show yet. */
  unsequencedEvents: number
  /** Null: every event has its position. */
  oldestUnsequencedAt: string | null
  /** The rows that upgrades still have to look at, by the name of the step, of the first `limit` tenants at it. */
  rowsToUpgrade: Readonly<Record<string, number>>
}

/** A page of all rows of one kind, in the order of their ids. The empty tenant id stands for the whole server. */
export interface RowPageQuery<K extends Kind> {
  kind: K
  tenantId: TenantId
  /** The id before the page; empty for the first one. */
  after: string
  limit: number
}

export interface RowPage<K extends Kind> {
  rows: Stored<Records[K]>[]
  /** How many rows of the page cannot be read. */
  damaged: number
  /** The last id of the page, also of a row that cannot be read; undefined behind the last row. */
  last: string | undefined
}

/** A row with the tenant that it belongs to. */
export interface RowOfTenant<K extends Kind> {
  tenantId: TenantId
  row: Stored<Records[K]>
}

/**
 * Finds rows of one kind without their tenant, as the kind declares it in `acrossTenants`, by its columns there. Rows whose
 * first column is null are not found. Nothing is leased: a write checks the version.
 */
export interface AcrossReads<N extends AcrossName> {
  /** Returns the row with one of these values in the first column. */
  find(...values: readonly string[]): Promise<RowOfTenant<KindAcross<N>> | undefined>
  /** Returns the rows with one of these values in the first column, in no order. */
  among(values: readonly string[]): Promise<RowOfTenant<KindAcross<N>>[]>
  /** Returns the rows with this value in the first column, in the order of the others; all of them without a limit. */
  of(value: string, limit?: number): Promise<RowOfTenant<KindAcross<N>>[]>
  /** Returns the rows whose time has come, longest due first. */
  due(now: string, limit: number): Promise<RowOfTenant<KindAcross<N>>[]>
  /** Returns the rows behind this value of the first column, in its order. */
  behind(value: string, limit: number): Promise<RowOfTenant<KindAcross<N>>[]>
  /** Returns the columns of the first row behind this value: one look-up in an index, however many rows there are. */
  first(
    behind?: string,
  ): Promise<{ tenantId: TenantId; columns: Record<ColumnAcross<N>, string> } | undefined>
}

/** The complete list of calls that cross tenants. Only authentication and background jobs use it. */
export interface SystemStore {
  readonly across: { readonly [N in AcrossName]: AcrossReads<N> }
  /** Returns an id that no other installation's data has, the same in every process. Letters and digits. */
  installationId(): Promise<string>
  /** Returns a value of the whole installation; undefined before it was set. `commit` sets it, under the empty tenant id. */
  findSetting(name: string): Promise<Stored<Records['settings']> | undefined>
  /** Returns whether any tenant exists. */
  hasTenants(): Promise<boolean>
  findTenant(id: string): Promise<(Stored<Records['tenants']> & { tenantId: TenantId }) | undefined>
  /** Returns the tenants of these ids as `findTenant` does, in no order; none for an id that it does not find. */
  findTenants(ids: readonly string[]): Promise<(Stored<Records['tenants']> & { tenantId: TenantId })[]>
  /** Tenants in the order of their ids, behind the id `after`. */
  listTenants(page: {
    after: string
    limit: number
  }): Promise<(Stored<Records['tenants']> & { tenantId: TenantId })[]>
  findSession(id: string): Promise<{ tenantId: TenantId; session: Stored<Session> } | undefined>
  findIdentity(id: string): Promise<Stored<Identity> | undefined>
  /** Returns the oldest identities of an e-mail in any spelling, at most `identitiesPerEmail`, oldest first. */
  listIdentitiesByEmail(email: string): Promise<Stored<Identity>[]>
  /**
   * Returns the users with this e-mail in a tenant that a caller names, which may not exist: one, or several whose keys are forms
   * of it that an earlier version distinguished.
   */
  listMembers(of: {
    tenantId: string
    email: string
  }): Promise<{ tenantId: TenantId; user: Stored<UserRecord> }[]>
  /** The same as `TenantStore.commit`, with the kinds that only authentication may write. */
  commit(tenantId: TenantId, change: Change<Kind>): Promise<void>
  /**
   * Lists the delivery queues of active webhooks that have pending attempts, one entry for each queue, in the
   * adapter's own order; of one tenant or of all, in pages. `limit` bounds the work: a page may hold fewer entries,
   * and only `next` says whether there are more. Empty while another process makes the deliveries of this storage.
   * Queues of a suspended tenant are left out: their attempts stay pending until it is resumed.
   */
  listDeliveryQueues(
    query: DeliveryQueueQuery,
  ): Promise<{ deliveryQueues: PlannedQueue[]; next: string | null }>
  /**
   * Leases due attempts, at most `limit` of each delivery queue, those first that are due for longest. Exactly one
   * caller gets each attempt until `leaseMs` from now is over. Returns one entry for each queue, in the given order; a
   * queue of an inactive or deleted webhook, or of a suspended tenant, is empty.
   */
  claimDueAttempts(claim: AttemptClaim): Promise<ClaimedQueue[]>
  /**
   * Writes results of claimed attempts, each with the attempt that follows it, all in one commit, and counts them
   * for their webhooks. Drops a result whose lease has gone to another caller. Returns how many were written.
   */
  finishAttempts(results: readonly AttemptResult[]): Promise<number>
  /**
   * For a clock that was set back: plans pending attempts anew that were created later than now (by more than the
   * clocks of machines differ), each with its original wait, from now. At most `limit`; returns how many it found, so
   * that fewer than `limit` were the last ones. Leaves attempts that are running as they are.
   */
  replanAttempts(bound: { now: string; limit: number }): Promise<number>
  /**
   * Returns unfinished tasks of all tenants, oldest first; those whose ids are not before `from`. The tasks are not leased: the job
   * that does them is.
   */
  listTasks(limit: number, from?: string): Promise<{ tenantId: TenantId; task: Stored<TaskRecord> }[]>
  /** Returns the first tenant behind this text, in the order of the ids, that has a task other than an upgrade. */
  findTenantWithTask(behind: string): Promise<TenantId | undefined>
  /**
   * Takes a free or expired lease, or renews the caller's own. Returns whether the caller holds it until `leaseMs`
   * from now. A holder that was suspended for longer may still act on an expired lease; work that this could damage
   * needs a check of its own.
   */
  takeLease(claim: LeaseClaim): Promise<boolean>
  /** Frees the lease for others immediately; does nothing when another process holds it. */
  releaseLease(lease: Lease): Promise<void>
  /** Returns the names behind a prefix of leases that have ended and were not released: their holders may have died. */
  listEndedLeases(of: { prefix: string; now: string; limit: number }): Promise<string[]>
  /**
   * Gives committed events their positions in the log, at most `limit`; events of one tenant that it finds together
   * in the order of their ids. Returns how many, and their tenants. Safe with any number of callers, also with one
   * that was suspended half-way and continues much later; but one at a time is fastest.
   */
  sequenceEvents(limit: number): Promise<{ count: number; tenantIds: TenantId[] }>
  /**
   * Deletes at most `limit` rows whose retention period is over (idempotency replies, ended sessions, usage, attempts,
   * events), and returns how many: zero only when none is left. A storage with one writer ends before the limit, so that
   * no request waits long; without such rows it gives free space of its file back, and returns how many pages.
   */
  removeExpired(bounds: RetentionBounds): Promise<number>
  /** Stores the last use of keys, at most once a minute for each; changes no version. */
  touchApiKeys(uses: readonly { tenantId: TenantId; id: string; at: string }[]): Promise<void>
  /**
   * Adds to the usage counters, outside of all commits, so that no request waits for a counter that its whole tenant
   * shares. Returns the increments that could not be added, to be tried again; never rejects.
   */
  addUsage(increments: readonly UsageIncrement[]): Promise<readonly UsageIncrement[]>
  /**
   * Adds to the outcomes and response times of months, outside of all commits. Returns the increments that could not be
   * added, to be tried again; never rejects.
   */
  addRequestMetrics(
    increments: readonly RequestMetricsIncrement[],
  ): Promise<readonly RequestMetricsIncrement[]>
  /**
   * Counts the labels of one day that is over (before `before`, `YYYY-MM-DD`) and not counted yet, of the first tenant from
   * `from` on that has one, so that `countLabels` need not read its conversations again. Returns the tenant, or null when
   * no day is left; always null where labels are counted without it.
   */
  countLabelDay(of: { from: string; before: string }): Promise<string | null>
  /** Reads all rows of a tenant, also those that an erasure hides: a commit cannot write to these. */
  readRows<K extends Kind>(query: RowPageQuery<K>): Promise<RowPage<K>>
  /** Counts all rows of a tenant. It takes time in proportion to them. */
  countRows(of: { kind: Kind; tenantId: TenantId }): Promise<number>
  /**
   * Deletes the first rows of a tenant in the order of their ids, with all that is derived from them, and returns how many. With the
   * tenant itself goes what no kind declares.
   */
  removeTenantRows(of: { tenantId: TenantId; kind: TransferKind; limit: number }): Promise<number>
  /** Counts the work of all tenants that waits, at most `limit` of each kind. It reads indexes alone. */
  backlog(limit: number): Promise<Backlog>
  /** Rejects with `StorageUnavailable` when the database cannot be read and written. */
  ping(): Promise<void>
}
