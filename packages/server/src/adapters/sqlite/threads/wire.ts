import type { Change } from '../../../ports/change.ts'
import type { ErasurePage, MentionsPage } from '../../../ports/storage.ts'
import type {
  Lease,
  LeaseClaim,
  RequestMetricsIncrement,
  RetentionBounds,
  UsageIncrement,
} from '../../../ports/system-store.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { SpellingCount } from '../../../storage/label-counts.ts'
import type { DatabaseOptions } from '../connection/database.ts'
import type { ErrorData } from '../connection/sqlite-errors.ts'
import type { RowResult } from '../deliveries/attempt-writer.ts'
import type { LabelRequest } from '../lists/count-labels.ts'
import type { ListRequest, RawPage } from '../lists/list-requests.ts'
import type { MatchedRows, MatchRequest } from '../search/match-rows.ts'
import type { KeyUse } from '../upkeep/housekeeping.ts'
import type { LabelDayRequest } from '../upkeep/label-days.ts'
import type { QuotaRequest } from '../upkeep/quota-use.ts'
import type { TenantRemoval } from '../upkeep/tenant-removal.ts'

/** The calls of the writer thread, each with its request and its reply. */
export interface WriterCalls {
  commit: { request: { tenantId: string; change: Change<Kind> }; reply: number }
  eraseNext: { request: { tenantId: string; page: ErasurePage | MentionsPage }; reply: number }
  finish: { request: readonly RowResult[]; reply: number }
  record: { request: { tenantId: string; attempt: AttemptRecord }; reply: null }
  replan: { request: { now: string; limit: number }; reply: number }
  removeExpired: { request: RetentionBounds; reply: number }
  removeTenantRows: { request: TenantRemoval; reply: number }
  takeLease: { request: LeaseClaim; reply: boolean }
  releaseLease: { request: Lease; reply: null }
  endLeases: { request: null; reply: null }
  touchApiKeys: { request: readonly KeyUse[]; reply: null }
  addUsage: { request: readonly UsageIncrement[]; reply: null }
  addRequestMetrics: { request: readonly RequestMetricsIncrement[]; reply: null }
  countLabelDay: { request: LabelDayRequest; reply: string | null }
  ping: { request: { at: string }; reply: null }
}

export interface ReaderCalls {
  /** `tookMs`: the time in the thread. */
  list: { request: ListRequest; reply: RawPage & { tookMs: number } }
  matches: { request: MatchRequest; reply: MatchedRows & { tookMs: number } }
  labels: { request: LabelRequest; reply: SpellingCount[] }
  quotaUse: { request: QuotaRequest; reply: number }
}

/** The calls that every thread has: `open` comes first, `close` last. */
export interface LifeCalls {
  open: { request: DatabaseOptions; reply: null }
  close: { request: null; reply: null }
}

export interface WireRequest {
  id: number
  call: string
  request: unknown
}

export type WireReply = { id: number; reply: unknown } | { id: number; error: ErrorData }
