import { randomUUID } from 'node:crypto'
import type { IdFactory } from '@crmkit/core'
import type { BackgroundJob, JobDeclaration } from '../../../jobs/background-job.ts'
import { createRests, type Pace } from '../../../jobs/rests.ts'
import { saveSetting } from '../../../jobs/save-setting.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { Storage } from '../../../ports/storage.ts'
import type { SystemStore } from '../../../ports/system-store.ts'
import { isoTime } from '../../../shared/clock.ts'
import { StorageUnavailable } from '../../../storage/errors.ts'
import type { AttachmentRecord } from '../../../storage/kinds/attachments.ts'
import type { TenantRecord } from '../../../storage/kinds/tenants.ts'
import type { Stored, TenantId } from '../../../storage/records.ts'
import { keepsAll, monthsBefore } from '../../../storage/rules/retention.ts'
import { agedAttachments, agedConversations } from './aged-rows.ts'
import { eraseAged, removeAgedFiles } from './apply-retention.ts'

const pollEveryMs = 600_000
const dayMs = 86_400_000
/** After a run in which a tenant had more than one run takes. */
const soonMs = 3_600_000
const leaseName = 'tenantRetention'
const leaseMs = 60_000
/** The stored time of the next run, for all processes. */
const retentionSetting = 'nextRetention'
const tenantsPerPage = 100
/** Conversations, and files, that one run removes of one tenant. */
const perRun = 1_000

interface RetentionParts extends Pace {
  storage: Pick<Storage, 'system' | 'forTenant'>
  clock: Clock
  ids: IdFactory
  log: Log
  /** A text that no other process uses. */
  holder: string
  /** Default: 1,000 conversations and as many files. */
  most?: number
}

/**
 * Erases what tenants do not want to keep any more, once a day, the oldest first. A run that was killed begins anew: what it has
 * done is not there any more.
 */
export function createApplyRetention(parts: RetentionParts): BackgroundJob {
  const { clock, holder } = parts
  const { system } = parts.storage
  let isHolder = false
  let isStopped = false
  const takeLease = async () => {
    isHolder = await system.takeLease({ name: leaseName, holder, now: isoTime(clock.nowMs()), leaseMs })
    return isHolder
  }

  /** Returns whether a tenant has more to remove; undefined when the run was stopped. */
  async function runTenants(): Promise<boolean | undefined> {
    let isMore = false
    for await (const tenant of choosingTenants(system)) {
      // A process that was suspended has lost its lease.
      if (isStopped || !(await takeLease())) return undefined
      const run = new TenantRun(parts, tenant, async () => !isStopped && (await takeLease()))
      isMore = (await run.tryAll()) || isMore
    }
    return isMore
  }

  return {
    runDue: async () => {
      const nowMs = clock.nowMs()
      const setting = await system.findSetting(retentionSetting)
      const waitMs = setting === undefined ? 0 : Date.parse(setting.value) - nowMs
      // A wait that is longer than the period: the clock was set back.
      if (waitMs > 0 && waitMs <= dayMs) return nowMs + waitMs
      if (!(await takeLease())) return null
      const isMore = await runTenants()
      if (isMore === undefined) return null
      const now = isoTime(clock.nowMs())
      const value = isoTime(clock.nowMs() + (isMore ? soonMs : dayMs))
      await saveSetting(system, { name: retentionSetting, value, now })
      return Date.parse(value)
    },
    stop: async () => {
      isStopped = true
      // A lease that cannot be released expires by itself.
      if (isHolder) await system.releaseLease({ name: leaseName, holder }).catch(() => {})
    },
  }
}

/** Returns the tenants that have chosen a retention. One that is suspended may be on its way out. */
async function* choosingTenants(system: Pick<SystemStore, 'listTenants'>) {
  for (let after = ''; ; ) {
    const tenants = await system.listTenants({ after, limit: tenantsPerPage })
    const last = tenants.at(-1)
    if (last === undefined) return
    yield* tenants.filter(({ retention, isSuspended }) => retention !== undefined && !isSuspended)
    after = last._id
  }
}

/** One run of one tenant. */
class TenantRun {
  readonly #parts: RetentionParts
  readonly #tenant: Stored<TenantRecord> & { tenantId: TenantId }
  readonly #mayGoOn: () => Promise<boolean>
  readonly #begin: ReturnType<typeof createRests>
  readonly #most: number

  constructor(
    parts: RetentionParts,
    tenant: Stored<TenantRecord> & { tenantId: TenantId },
    mayGoOn: () => Promise<boolean>,
  ) {
    this.#parts = parts
    this.#tenant = tenant
    this.#mayGoOn = mayGoOn
    this.#begin = createRests(parts)
    this.#most = parts.most ?? perRun
  }

  /** Returns whether there is more to remove than one run does. A failure of one tenant holds up no other. */
  async tryAll(): Promise<boolean> {
    const { tenantId, retention = keepsAll } = this.#tenant
    const { closedConversationMonths, attachmentMonths } = retention
    const nowMs = this.#parts.clock.nowMs()
    try {
      const isMore =
        closedConversationMonths !== null &&
        (await this.#eraseBefore(monthsBefore(nowMs, closedConversationMonths)))
      const hasFiles =
        attachmentMonths !== null && (await this.#removeBefore(monthsBefore(nowMs, attachmentMonths)))
      return isMore || hasFiles
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error
      this.#parts.log.error({ err: error, tenantId }, 'The retention of a tenant failed; it is tried again')
      return true
    }
  }

  #context() {
    const { storage, ids, clock } = this.#parts
    return { store: storage.forTenant(this.#tenant.tenantId), ids, now: isoTime(clock.nowMs()) }
  }

  async #eraseBefore(before: string): Promise<boolean> {
    let done = 0
    for await (const page of agedConversations(this.#context().store, before)) {
      for (const conversation of page) {
        if (done === this.#most) return true
        const restAfter = this.#begin()
        if (await eraseAged(this.#context(), conversation)) done += 1
        await restAfter(1)
      }
      if (!(await this.#mayGoOn())) return true
    }
    return false
  }

  async #removeBefore(before: string): Promise<boolean> {
    const { tenantId } = this.#tenant
    let done = 0
    for await (const page of agedAttachments(this.#parts.storage.system, tenantId, before)) {
      for (const [messageId, files] of byMessage(page)) {
        if (done >= this.#most) return true
        const restAfter = this.#begin()
        if (await removeAgedFiles(this.#context(), messageId, files)) done += files.length
        await restAfter(1)
      }
      if (!(await this.#mayGoOn())) return true
    }
    return false
  }
}

function byMessage(rows: readonly Stored<AttachmentRecord>[]): Map<string, Stored<AttachmentRecord>[]> {
  return Map.groupBy(rows, ({ messageId }) => messageId ?? '')
}

export const applyRetention: JobDeclaration = {
  pollEveryMs,
  make: ({ storage, clock, ids, log }) =>
    createApplyRetention({ storage, clock, ids, log, holder: randomUUID() }),
  backlog: { none: 'a tenant has chosen months, and its preview says what is left to remove' },
}
