import type { DomainEvent } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { Reservation } from '../../ports/row-quotas.ts'
import { isNotedDoor } from '../../shared/note-door.ts'
import { VersionConflict } from '../../storage/errors.ts'
import type { ImportIssueRecord } from '../../storage/kinds/import-issues.ts'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { isSameValue } from '../rules/three-way.ts'
import { withTally } from './balance.ts'
import { logOfPage } from './page-log.ts'
import { filesKeptFrom } from './remove-files.ts'
import type { RunEnd } from './run-ends.ts'
import { RunLost, type WorkerParts } from './run-parts.ts'
import { storedIssues, withPage } from './run-state.ts'
import { doorWritesOfEnd, writesOfEnd } from './writes-of-end.ts'

export const commitTriesMax = 12

type WriterParts = Pick<WorkerParts, 'storage' | 'quotas' | 'ids' | 'store' | 'now'>

/** Writes one run. Every commit expects the version that this process wrote last, so that only one advances a run. */
export class RunWriter {
  readonly #parts: WriterParts
  #run: Stored<ImportRunRecord>

  constructor(parts: WriterParts, run: Stored<ImportRunRecord>) {
    this.#parts = parts
    this.#run = run
  }

  get run(): Stored<ImportRunRecord> {
    return this.#run
  }

  /** Writes a page with its figures and its position in one commit. */
  async commit(plan: PagePlan, advance: (run: ImportRunRecord) => ImportRunRecord): Promise<void> {
    const before = withoutVersion(this.#run)
    const counted = await this.#countedIssues(plan)
    const { outcomes, conflictsKept } = plan
    const page = { outcomes, conflictsKept, issues: [...plan.issues, ...counted.fresh] }
    const after = advance(withPage({ ...before, balance: withTally(before.balance, plan.tally) }, page))
    const made = storedIssues(before, page).map(
      (row) => ({ op: 'insert', kind: 'importIssues', row }) as const,
    )
    const issues = [...made, ...counted.updates]
    if (this.#run.dryRun) return this.#write(after, issues)
    const log = await logOfPage(plan)
    await plan.set.pauses.takeIfDue()
    const rows = [...plan.set.writes(), ...plan.writes, ...log.writes]
    const reservation = await this.#admit(rows)
    try {
      await this.#write(after, [...rows, ...issues], log.events)
    } finally {
      reservation?.end()
    }
  }

  /** Divides the counted warnings of a page: those that the run has reported already only get another count. */
  async #countedIssues({
    countedIssues,
  }: PagePlan): Promise<{ fresh: ImportIssueRecord[]; updates: Write[] }> {
    const fresh: ImportIssueRecord[] = []
    const updates: Write[] = []
    for (const issue of countedIssues.values()) {
      const known = await this.#parts.store.importIssues.find(issue._id)
      if (known === undefined) fresh.push(issue)
      else {
        const { _id: id, version: expectVersion } = known
        const set = { count: (known.count ?? 1) + (issue.count ?? 1) }
        updates.push({ op: 'update', kind: 'importIssues', id, expectVersion, set })
      }
    }
    return { fresh, updates }
  }

  /** Counts the new rows to the quotas of the tenant. */
  async #admit(writes: readonly Write[]): Promise<Reservation | undefined> {
    const { storage, quotas, store } = this.#parts
    const tenant = await storage.system.findTenant(store.tenantId)
    return quotas.admit({ tenantId: store.tenantId, tenantLimits: tenant?.limits }, writes)
  }

  async #write(
    after: ImportRunRecord,
    writes: readonly Write[],
    events: readonly DomainEvent[] = [],
  ): Promise<void> {
    const { version: expectVersion, _id: id } = this.#run
    const set = { ...after, ...this.#takesUpAfter(after), updatedAt: this.#parts.now() }
    const update = { op: 'update', kind: 'importRuns', id, expectVersion, set } as const
    await this.#parts.store.commit({ writes: [...writes, update], events: [...events] })
    this.#run = { ...set, version: expectVersion + 1 }
  }

  /** A new checkpoint is progress: the run is not one that fails each time. A dry run begins again, so it makes none. */
  #takesUpAfter({ dryRun, checkpoint }: ImportRunRecord): Partial<ImportRunRecord> {
    if (dryRun || isSameValue(checkpoint, this.#run.checkpoint)) return {}
    return { takesUp: 0, takeUpAt: null }
  }

  /** Saves the run alone. */
  async save(
    after: ImportRunRecord & { version?: number },
    syncStatus?: IntegrationRecord['syncStatus'],
  ): Promise<void> {
    const { version: _, ...run } = after
    for (let tries = 1; ; tries++) {
      const writes = syncStatus === undefined ? [] : await this.#integrationWrites(() => ({ syncStatus }))
      if (syncStatus === 'running') writes.push(...(await this.#fileWrites()))
      try {
        await this.#write(run as ImportRunRecord, writes)
        return
      } catch (error) {
        if (!(error instanceof VersionConflict) || tries >= commitTriesMax) throw error
        await this.assertOwn()
      }
    }
  }

  async #integrationWrites(
    change: (before: IntegrationRecord) => Partial<IntegrationRecord>,
  ): Promise<Write[]> {
    const found = await this.#parts.store.integrations.find(this.#run.integrationId)
    if (!found) return []
    const { _id: id, version: expectVersion } = found
    return [{ op: 'update', kind: 'integrations', id, expectVersion, set: change(found) }]
  }

  /** Uploaded files are removed some days after the run that reads them, also after one that is cancelled. */
  async #fileWrites(): Promise<Write[]> {
    const { dryRun, integrationId } = this.#run
    return dryRun ? [] : filesKeptFrom(this.#parts.store, { integrationId, now: this.#parts.now() })
  }

  /** Throws when the run ended or moved on without this process. */
  async assertOwn(): Promise<void> {
    const current = await this.#parts.store.importRuns.find(this.#run._id)
    if (current?.version !== this.#run.version) throw new RunLost()
  }

  /** Ends or pauses the run together with its integration. */
  async end(end: RunEnd): Promise<void> {
    for (let tries = 1; ; tries++) {
      const now = this.#parts.now()
      const integration = await this.#parts.store.integrations.find(this.#run.integrationId)
      const { run, integration: set } = end({ run: withoutVersion(this.#run), integration, now })
      const writes = integration ? writesOfEnd(integration, { set, ids: this.#parts.ids, now }) : []
      writes.push(...(await this.#fileWrites()))
      if (integration) {
        const { provider } = integration
        writes.push(...(await doorWritesOfEnd(this.#parts.store, { run, provider, now })))
      }
      try {
        await this.#write(run, writes)
        return
      } catch (error) {
        const isConflict = error instanceof VersionConflict || isNotedDoor(error)
        if (!isConflict || tries >= commitTriesMax) throw error
        await this.assertOwn()
      }
    }
  }
}
