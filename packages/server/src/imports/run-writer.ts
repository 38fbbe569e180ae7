import type { Write } from '../ports/change.ts'
import { VersionConflict } from '../storage/errors.ts'
import type { ImportRunRecord } from '../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../storage/kinds/integrations.ts'
import { type Stored, withoutVersion } from '../storage/records.ts'
import { endWrites } from './end-writes.ts'
import type { PagePlan } from './page-plan.ts'
import type { RunEnd } from './run-ends.ts'
import { RunLost, type WorkerParts } from './run-parts.ts'
import { storedIssues, withPage } from './run-state.ts'

export const commitTriesMax = 12

/** Writes one run. Every commit expects the version that this process wrote last, so that only one advances a run. */
export class RunWriter {
  readonly #parts: WorkerParts
  #run: Stored<ImportRunRecord>

  constructor(parts: WorkerParts, run: Stored<ImportRunRecord>) {
    this.#parts = parts
    this.#run = run
  }

  get run(): Stored<ImportRunRecord> {
    return this.#run
  }

  /** Writes a page with its figures and its position in one commit. */
  async commit(plan: PagePlan, advance: (run: ImportRunRecord) => ImportRunRecord): Promise<void> {
    const before = withoutVersion(this.#run)
    const after = advance(withPage(before, plan))
    const issues = storedIssues(before, plan).map(
      (row) => ({ op: 'insert', kind: 'importIssues', row }) as const,
    )
    const rows = this.#run.dryRun ? [] : plan.set.writes()
    await this.#write(after, [...rows, ...issues], plan.events)
  }

  async #write(
    after: ImportRunRecord,
    writes: readonly Write[],
    events: PagePlan['events'] = [],
  ): Promise<void> {
    const { version: expectVersion, _id: id } = this.#run
    const set = { ...after, updatedAt: this.#parts.now() }
    const update = { op: 'update', kind: 'importRuns', id, expectVersion, set } as const
    await this.#parts.store.commit({ writes: [...writes, update], events: [...events] })
    this.#run = { ...set, version: expectVersion + 1 }
  }

  /** Saves the run alone. */
  async save(
    after: ImportRunRecord & { version?: number },
    syncStatus?: IntegrationRecord['syncStatus'],
  ): Promise<void> {
    const { version: _, ...run } = after
    for (let tries = 1; ; tries++) {
      const writes = syncStatus === undefined ? [] : await this.#integrationWrites(() => ({ syncStatus }))
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
      const writes = integration ? endWrites(integration, { set, ids: this.#parts.ids, now }) : []
      try {
        await this.#write(run, writes)
        return
      } catch (error) {
        if (!(error instanceof VersionConflict) || tries >= commitTriesMax) throw error
        await this.assertOwn()
      }
    }
  }
}
