import type { IdFactory } from '@crmkit/core'
import type { MailBudgets } from '../fairness/mail-budgets.ts'
import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { Clock } from '../ports/clock.ts'
import type { OpenConnector } from '../ports/connector.ts'
import type { ErasureRecords } from '../ports/erasure-ledger.ts'
import type { CheckDestination, HttpSender } from '../ports/http-sender.ts'
import type { JobBacklog } from '../ports/job-backlog.ts'
import type { LiveEvents } from '../ports/live.ts'
import type { Log } from '../ports/log.ts'
import type { MailSender, MailSettings } from '../ports/mail-sender.ts'
import type { MailSource } from '../ports/mail-source.ts'
import type { MailTokens } from '../ports/mail-tokens.ts'
import type { Meters } from '../ports/meters.ts'
import type { RowQuotas } from '../ports/row-quotas.ts'
import type { OpenScratch } from '../ports/scratch.ts'
import type { SecretBox } from '../ports/secret-box.ts'
import type { Committed, Storage } from '../ports/storage.ts'
import type { CommitPart } from '../shared/commit-listeners.ts'
import type { WaitingCallers } from '../shared/waiting-callers.ts'

/** One background job of this process. */
export interface BackgroundJob {
  /** Does, or begins, the work that is due. Returns when to poll again (ms since 1970), null when nothing is planned. */
  runDue(): Promise<number | null>
  /** Begins nothing new; resolves when the work that has begun has ended. */
  stop?(): Promise<void>
  /** Called after every commit of this process that may wake the job. */
  onCommitted?(commit: Committed): void
}

/** Asks for a poll of one job at `atMs` (ms since 1970), or immediately without it. */
export type WakeJob = (atMs?: number) => void

/** Everything that a job may be made of. */
export interface JobParts {
  storage: Storage
  attachments: AttachmentStore
  clock: Clock
  ids: IdFactory
  log: Log
  meters: Meters
  quotas: RowQuotas
  budgets: MailBudgets
  sender: HttpSender
  secrets: SecretBox
  openSource: OpenConnector
  openScratch: OpenScratch
  callers: WaitingCallers
  checkDestination: CheckDestination
  mail: MailSettings
  mailSender: MailSender
  mailSource: MailSource
  mailTokens: MailTokens
  live: LiveEvents
  erasures: ErasureRecords
  /** The version of this package. */
  version: string
  wake: WakeJob
}

/** How commits wake a job, in every process, also where the job does not run. */
export interface Wakes {
  /** Only commits that hold one of these are asked. */
  readonly on: readonly CommitPart[]
  /** Calls `wake` for each poll that a commit makes necessary. */
  ask(commit: Committed, wake: WakeJob): void
}

/** The entry of a job in `registry.ts`, which gives it its name. */
export interface JobDeclaration {
  /** The longest time between two polls. Wake-ups only make a poll come sooner. */
  readonly pollEveryMs: number
  /** How an operator sees that its work waits, or why nobody needs to. */
  readonly backlog: JobBacklog | { readonly none: `${string} ${string}` }
  /** The commits that make a poll necessary. */
  readonly wakes?: Wakes
  make(parts: JobParts): BackgroundJob
}

/** A storage that is reachable again is noticed within this time, and lost wake-ups delay work by no more than it. */
export const pollEveryMs = 1_000
