import type { IdFactory } from '@crmkit/core'
import type { FairSlots } from '../../fairness/fair-slots.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OpenConnector, SourceConnection } from '../../ports/connector.ts'
import type { Log } from '../../ports/log.ts'
import type { RowQuotas } from '../../ports/row-quotas.ts'
import type { OpenScratch } from '../../ports/scratch.ts'
import type { Storage, TenantStore } from '../../ports/storage.ts'
import type { WaitingCallers } from '../../shared/waiting-callers.ts'
import type { TenantId } from '../../storage/records.ts'

export interface RunParts {
  storage: Pick<Storage, 'forTenant' | 'system'>
  openSource: OpenConnector
  openScratch: OpenScratch
  /** The bytes of packages. */
  attachments: Pick<AttachmentStore, 'read' | 'write' | 'fileOf'>
  quotas: RowQuotas
  clock: Clock
  ids: IdFactory
  log: Log
  /** They go first while a page is planned. */
  callers: WaitingCallers
  /** Pages of all runs share a few slots: a tenant with one run gets as many as a tenant with several. */
  pages: FairSlots
}

export interface RunRef {
  tenantId: TenantId
  runId: string
}

/** The run ended or another process works on it: this process stops without another write. */
export class RunLost extends Error {
  override readonly name = 'RunLost'
}

export interface WorkerParts extends RunParts {
  store: TenantStore
  connection: SourceConnection
  signal: AbortSignal
  now(): string
}
