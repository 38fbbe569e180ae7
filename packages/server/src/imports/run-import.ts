import { setTimeout as wait } from 'node:timers/promises'
import type { Write } from '../ports/change.ts'
import {
  SourceFailure,
  type SourceLink,
  type SourceModule,
  type SourcePage,
  type SourceRecord,
  sourceModules,
} from '../ports/connector.ts'
import { isoTime } from '../shared/clock.ts'
import { UniqueConflict, VersionConflict } from '../storage/errors.ts'
import { activeRunStatuses, type ImportRunRecord } from '../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../storage/kinds/integrations.ts'
import { type Stored, withoutVersion } from '../storage/records.ts'
import { afterFailure } from './after-failure.ts'
import { endWrites } from './end-writes.ts'
import { contextOfIntegration, type ImportContext, isSelected, linkIdOf } from './import-context.ts'
import { PagePlan } from './page-plan.ts'
import { planDeleted } from './plan-deleted.ts'
import { planPage } from './plan-page.ts'
import { kindOf } from './rules/drafts.ts'
import { completed, failed, type RunEnd } from './run-ends.ts'
import { RunLost, type RunParts, type RunRef, type WorkerParts } from './run-parts.ts'
import { countsOf, isSystematicFault, storedIssues, withPage } from './run-state.ts'
import { WorkingSet } from './working-set.ts'

const commitTriesMax = 12
const seenMax = 50_000

/** Works on one run until it ends or waits for a limit of its source. `signal` stops it behind the page at hand. */
export async function runImport(parts: RunParts, ref: RunRef, signal: AbortSignal): Promise<void> {
  const store = parts.storage.forTenant(ref.tenantId)
  const run = await store.importRuns.find(ref.runId)
  if (!run || !activeRunStatuses.includes(run.status)) return
  const integration = await store.integrations.find(run.integrationId)
  if (!integration) return
  const connection = parts.openSource(integration)
  const worker = new Worker({ ...parts, store, connection, signal }, run, integration)
  try {
    await worker.run()
  } catch (error) {
    if (error instanceof RunLost || signal.aborted) return
    throw error
  } finally {
    await connection.close()
  }
}

class Worker {
  readonly #parts: WorkerParts
  readonly #context: ImportContext
  readonly #integration: Stored<IntegrationRecord>
  /** A dry run keeps what it would have written. */
  readonly #drySet: WorkingSet | undefined
  /** Records that this process counted already; a source may send one twice. */
  readonly #seen = new Set<string>()
  #run: Stored<ImportRunRecord>
  #tries = 0

  constructor(parts: WorkerParts, run: Stored<ImportRunRecord>, integration: Stored<IntegrationRecord>) {
    this.#parts = parts
    this.#run = run
    this.#integration = integration
    this.#drySet = run.dryRun ? new WorkingSet(parts.store) : undefined
    this.#context = {
      ...contextOfIntegration(integration),
      store: parts.store,
      ids: parts.ids,
      now: () => isoTime(parts.clock.nowMs()),
      runId: run._id,
      selection: run.selection,
      isDryRun: run.dryRun,
      emitEvents: integration.emitEvents && run.trigger === 'auto' && run.checkpoint.since !== null,
      wasCounted: (record) => this.#seen.has(keyOf(record)),
    }
  }

  async run(): Promise<void> {
    await this.#begin()
    for (;;) {
      try {
        await this.#readAll()
        await this.#end(completed)
        return
      } catch (error) {
        this.#parts.signal.throwIfAborted()
        if (!(error instanceof SourceFailure)) throw error
        if (!(await this.#recover(error))) return
      }
    }
  }

  async #begin(): Promise<void> {
    const now = this.#context.now()
    // The rows that a dry run planned were lost with its process, so it begins again.
    const isLost = this.#run.dryRun && this.#run.startedAt !== null
    const fresh = { modules: {}, errors: [], errorCount: 0, warningCount: 0, conflictsKept: 0 }
    await this.#save(
      {
        ...this.#run,
        ...(isLost && { ...fresh, checkpoint: { ...this.#run.checkpoint, module: null, position: null } }),
        status: 'running',
        startedAt: this.#run.startedAt ?? now,
        resumeAt: null,
        pauseReason: null,
      },
      'running',
    )
  }

  async #readAll(): Promise<void> {
    if (this.#run.checkpoint.only !== null) return this.#readOnly(this.#run.checkpoint.only)
    const modules = sourceModules.filter(
      (module) => module !== 'Accounts' && isSelected(this.#run.selection, module),
    )
    if (this.#run.checkpoint.phase === 'list') {
      for (const module of modules) {
        if (countsOf(this.#run, module).done) continue
        await this.#readModule(module)
      }
    }
    await this.#readDeleted(modules)
  }

  async #readModule(module: SourceModule): Promise<void> {
    const { connection, signal } = this.#parts
    const { checkpoint } = this.#run
    const window = { since: checkpoint.since, before: checkpoint.before }
    const isBegun = checkpoint.module === module
    const position = isBegun ? checkpoint.position : null
    if (countsOf(this.#run, module).total === null) await this.#countModule(module)
    const pages = connection.pages(module, { window, from: position, signal })[Symbol.asyncIterator]()
    try {
      let next = pages.next()
      for (;;) {
        const { value: page, done } = await next
        if (done) break
        const isLast = page.next === null
        // The next page is on its way while this one is written.
        next = isLast ? Promise.resolve({ value: undefined, done: true }) : pages.next()
        next.catch(() => {})
        await this.#writePage(module, page)
        this.#tries = 0
        signal.throwIfAborted()
        if (isLast) break
      }
    } catch (error) {
      if (!(error instanceof SourceFailure) || error.kind !== 'forbidden') throw error
      await this.#reportForbidden(module)
    } finally {
      await pages.return?.()
    }
    await this.#finishModule(module)
  }

  async #countModule(module: SourceModule): Promise<void> {
    const { checkpoint } = this.#run
    const window = { since: checkpoint.since, before: checkpoint.before }
    let total: number | null = null
    try {
      total = await this.#parts.connection.count(module, window, this.#parts.signal)
    } catch (error) {
      // A total is for people: the import does without it.
      if (!(error instanceof SourceFailure) || error.kind === 'auth') throw error
    }
    const counts = { ...countsOf(this.#run, module), total, totalIsEstimate: total !== null }
    await this.#save({ ...this.#run, modules: { ...this.#run.modules, [module]: counts } })
  }

  async #finishModule(module: SourceModule): Promise<void> {
    const counts = countsOf(this.#run, module)
    const modules = {
      ...this.#run.modules,
      [module]: { ...counts, total: counts.read, totalIsEstimate: false, done: true },
    }
    await this.#save({
      ...this.#run,
      modules,
      checkpoint: { ...this.#run.checkpoint, module: null, position: null },
    })
  }

  async #reportForbidden(module: SourceModule): Promise<void> {
    const plan = new PagePlan(this.#context, new WorkingSet(this.#parts.store))
    const message = 'the source does not let this connection read the module'
    plan.issue({ module, id: null, row: null }, { severity: 'error', code: 'MODULE_FORBIDDEN', message })
    await this.#commit(plan, (run) => run)
  }

  async #writePage(module: SourceModule, page: SourcePage): Promise<void> {
    await this.#importRecords(module, page.records, {
      unreadable: page.unreadable ?? [],
      advance: (run) => ({
        ...run,
        checkpoint: {
          ...run.checkpoint,
          module,
          position: page.next,
          until: run.checkpoint.until ?? page.sourceTime,
        },
      }),
    })
    if (isSystematicFault(this.#run, module)) {
      await this.#end(failed({ code: 'SYSTEMATIC_FAILURE', message: `every record of ${module} failed` }))
      throw new RunLost()
    }
  }

  /** Imports records in one commit, after the parents that a window of time has left out. */
  async #importRecords(
    module: SourceModule,
    records: readonly SourceRecord[],
    { unreadable, advance }: PageExtras,
  ): Promise<void> {
    await this.#importParents(records)
    for (let tries = 1; ; tries++) {
      const set = this.#drySet ?? new WorkingSet(this.#parts.store)
      const plan = await planPage(this.#context, set, records)
      for (const { row, message } of unreadable) {
        plan.issue({ module, id: null, row }, { severity: 'error', code: 'INVALID_RECORD', message })
        plan.count(module, 'failed')
      }
      try {
        await this.#commit(plan, advance)
        break
      } catch (error) {
        const isConflict = error instanceof VersionConflict || error instanceof UniqueConflict
        if (!isConflict || tries >= commitTriesMax) throw error
        await this.#assertOwn()
        await wait(Math.min(10 * 2 ** tries, 500))
      }
    }
    if (this.#seen.size > seenMax) this.#seen.clear()
    for (const record of records) this.#seen.add(keyOf(record))
  }

  async #importParents(records: readonly SourceRecord[]): Promise<void> {
    const { since, before } = this.#run.checkpoint
    if (since === null && before === null) return
    const named = records.flatMap(({ person, parent }) => [person, parent]).filter((one) => one !== null)
    const chosen = named.filter(({ module }) => isSelected(this.#run.selection, module))
    const missing = await this.#withoutLink(chosen)
    for (const [module, links] of Map.groupBy(missing, (link) => link.module)) {
      const ids = [...new Set(links.map(({ id }) => id))]
      for (let start = 0; start < ids.length; start += idsPerRequest) {
        const { connection, signal } = this.#parts
        const found = await connection.byIds(module, ids.slice(start, start + idsPerRequest), signal)
        await this.#importRecords(module, found, { unreadable: [], advance: (run) => run })
      }
    }
  }

  async #withoutLink(links: readonly SourceLink[]): Promise<SourceLink[]> {
    const set = this.#drySet ?? new WorkingSet(this.#parts.store)
    const idOf = (link: SourceLink) => linkIdOf(this.#context, link)
    await set.load('importLinks', links.map(idOf))
    return links.filter((link) => set.find('importLinks', idOf(link)) === undefined)
  }

  /** Imports single records again: those that failed in an earlier run. */
  async #readOnly(only: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const modules = sourceModules.filter((module) => (only[module] ?? []).length > 0)
    for (const module of modules) {
      const all = this.#run.checkpoint.only?.[module] ?? []
      for (let start = 0; start < all.length; start += idsPerRequest) {
        const ids = all.slice(start, start + idsPerRequest)
        const found = await this.#parts.connection.byIds(module, ids, this.#parts.signal)
        const left = all.slice(start + idsPerRequest)
        await this.#importRecords(module, found, {
          unreadable: [],
          advance: (run) => ({
            ...run,
            checkpoint: { ...run.checkpoint, module, only: { ...run.checkpoint.only, [module]: left } },
          }),
        })
      }
      await this.#finishModule(module)
    }
  }

  /** Marks what was deleted at the source since the last complete run. */
  async #readDeleted(modules: readonly SourceModule[]): Promise<void> {
    const { dryRun, dateRange, trigger, checkpoint } = this.#run
    const since = this.#integration.syncedUntil
    if (since === null || dryRun || dateRange !== null || trigger === 'retry') return
    const { deletedReadAt } = this.#integration
    const isRecent =
      deletedReadAt !== null && Date.parse(this.#context.now()) - Date.parse(deletedReadAt) < 3600_000
    if (trigger === 'auto' && isRecent) return
    const { connection, signal } = this.#parts
    for (const module of modules.filter(
      (one) => !(checkpoint.phase === 'deleted' && one < (checkpoint.module ?? '')),
    )) {
      if (kindOf(module) === undefined) continue
      for await (const page of connection.deleted(module, since, signal)) {
        await this.#writeDeleted(module, page)
      }
    }
    await this.#save({
      ...this.#run,
      checkpoint: { ...this.#run.checkpoint, module: null, phase: 'deleted' },
    })
  }

  async #writeDeleted(
    module: SourceModule,
    page: readonly { id: string; deletedAt: string | null }[],
  ): Promise<void> {
    const set = new WorkingSet(this.#parts.store)
    const plan = new PagePlan(this.#context, set)
    const deleted = await planDeleted(plan, module, page)
    await this.#commit(plan, (run) => {
      const counts = countsOf(run, module)
      const modules = { ...run.modules, [module]: { ...counts, deleted: counts.deleted + deleted } }
      return { ...run, modules }
    })
  }

  /** Writes a page with its figures and its position in one commit. */
  async #commit(plan: PagePlan, advance: (run: ImportRunRecord) => ImportRunRecord): Promise<void> {
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
    const set = { ...after, updatedAt: this.#context.now() }
    const update = { op: 'update', kind: 'importRuns', id, expectVersion, set } as const
    await this.#parts.store.commit({ writes: [...writes, update], events: [...events] })
    this.#run = { ...set, version: expectVersion + 1 }
  }

  /** Saves the run alone. */
  async #save(
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
        await this.#assertOwn()
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
  async #assertOwn(): Promise<void> {
    const current = await this.#parts.store.importRuns.find(this.#run._id)
    if (current?.version !== this.#run.version) throw new RunLost()
  }

  /** Ends or pauses the run together with its integration. */
  async #end(end: RunEnd): Promise<void> {
    for (let tries = 1; ; tries++) {
      const now = this.#context.now()
      const integration = await this.#parts.store.integrations.find(this.#run.integrationId)
      const { run, integration: set } = end({ run: withoutVersion(this.#run), integration, now })
      const writes = integration ? endWrites(integration, { set, ids: this.#parts.ids, now }) : []
      try {
        await this.#write(run, writes)
        return
      } catch (error) {
        if (!(error instanceof VersionConflict) || tries >= commitTriesMax) throw error
        await this.#assertOwn()
      }
    }
  }

  /** Handles a request that failed. Returns whether it is tried again now. */
  async #recover(failure: SourceFailure): Promise<boolean> {
    const { clock, signal, log } = this.#parts
    log.warn(
      { runId: this.#run._id, kind: failure.kind, err: failure },
      'A request to the source of an import failed',
    )
    this.#tries += 1
    const answer = afterFailure(failure, { tries: this.#tries, nowMs: clock.nowMs() })
    if ('end' in answer) {
      await this.#end(answer.end)
      return false
    }
    await wait(answer.waitMs, undefined, { signal })
    return true
  }
}

interface PageExtras {
  unreadable: readonly { row: number; message: string }[]
  advance: (run: ImportRunRecord) => ImportRunRecord
}

const idsPerRequest = 100

function keyOf({ module, id }: Pick<SourceRecord, 'module' | 'id'>): string {
  return `${module} ${id}`
}
