import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '@crmkit/core'
import { SourceFailure, type SourceModule, type SourcePage, sourceModules } from '../../ports/connector.ts'
import { isoTime } from '../../shared/clock.ts'
import { activeRunStatuses, type ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Stored } from '../../storage/records.ts'
import {
  contextOfIntegration,
  type ImportContext,
  isSelected,
  type SourceContext,
} from '../plan/import-context.ts'
import { PagePlan } from '../plan/page-plan.ts'
import { planDeleted } from '../plan/plan-deleted.ts'
import { readerOf, WorkingSet } from '../plan/working-set.ts'
import { afterFailure } from './after-failure.ts'
import { idsPerRequest, RecordImporter } from './import-records.ts'
import { reportOpenBalance } from './open-balance.ts'
import { completed, failed } from './run-ends.ts'
import { RunLost, type RunParts, type RunRef, type WorkerParts } from './run-parts.ts'
import { countsOf, isSystematicFault } from './run-state.ts'
import { RunWriter } from './run-writer.ts'

/** Works on one run until it ends or waits for a limit of its source. `signal` stops it behind the page at hand. */
export async function runImport(parts: RunParts, ref: RunRef, signal: AbortSignal): Promise<void> {
  const store = parts.storage.forTenant(ref.tenantId)
  const run = await store.importRuns.find(ref.runId)
  if (!run || !activeRunStatuses.includes(run.status)) return
  const integration = await store.integrations.find(run.integrationId)
  // A package has a worker of its own.
  if (!integration || integration.provider === 'package') return
  const source = await contextOfIntegration(store, integration)
  const connection = parts.openSource(integration)
  const now = () => isoTime(parts.clock.nowMs())
  const worker = new Worker({ ...parts, store, connection, signal, now }, { run, integration, source })
  try {
    await worker.run()
  } catch (error) {
    if (error instanceof RunLost || signal.aborted) return
    throw error
  } finally {
    worker.close()
    await connection.close()
  }
}

interface Work {
  run: Stored<ImportRunRecord>
  integration: Stored<IntegrationRecord>
  source: SourceContext
}

/** Reads the source of one run, page by page. */
class Worker {
  readonly #parts: WorkerParts
  readonly #context: ImportContext
  readonly #integration: Stored<IntegrationRecord>
  readonly #writer: RunWriter
  readonly #importer: RecordImporter
  #tries = 0
  /** Modules that the source has refused in this run. */
  readonly #forbidden = new Set<SourceModule>()

  constructor(parts: WorkerParts, { run, integration, source }: Work) {
    this.#parts = parts
    this.#integration = integration
    this.#context = {
      ...source,
      store: parts.store,
      ids: parts.ids,
      now: parts.now,
      runId: run._id,
      selection: run.selection,
      isDryRun: run.dryRun,
      emitEvents: integration.emitEvents && run.trigger === 'auto' && run.checkpoint.since !== null,
    }
    this.#writer = new RunWriter(parts, run)
    this.#importer = new RecordImporter(parts, this.#writer, this.#context)
  }

  get #run(): Stored<ImportRunRecord> {
    return this.#writer.run
  }

  async run(): Promise<void> {
    await this.#begin()
    for (;;) {
      try {
        await this.#readAll()
        await reportOpenBalance(this.#parts, { context: this.#context, writer: this.#writer })
        await this.#writer.end(completed)
        return
      } catch (error) {
        this.#parts.signal.throwIfAborted()
        if (error instanceof Failure && error.code === 'QUOTA_EXCEEDED') {
          await this.#writer.end(failed({ code: error.code, message: error.message }))
          return
        }
        if (!(error instanceof SourceFailure)) throw error
        if (!(await this.#recover(error))) return
      }
    }
  }

  close(): void {
    this.#importer.close()
  }

  async #begin(): Promise<void> {
    const now = this.#context.now()
    // The rows that a dry run planned were lost with its process, so it begins again.
    const isLost = this.#run.dryRun && this.#run.startedAt !== null
    const fresh = {
      modules: {},
      balance: undefined,
      errors: [],
      errorCount: 0,
      warningCount: 0,
      conflictsKept: 0,
    }
    await this.#writer.save(
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
      (module) =>
        module !== 'Accounts' &&
        this.#parts.connection.lacks?.includes(module) !== true &&
        isSelected(this.#run.selection, module),
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
      await this.#skipForbidden(module, error)
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
    await this.#writer.save({ ...this.#run, modules: { ...this.#run.modules, [module]: counts } })
  }

  async #finishModule(module: SourceModule): Promise<void> {
    const counts = countsOf(this.#run, module)
    const modules = {
      ...this.#run.modules,
      [module]: { ...counts, total: counts.read, totalIsEstimate: false, done: true },
    }
    await this.#writer.save({
      ...this.#run,
      modules,
      checkpoint: { ...this.#run.checkpoint, module: null, position: null },
    })
  }

  /** A module that may not be read is reported once, and ends neither the run nor its later phases. */
  async #skipForbidden(module: SourceModule, error: unknown): Promise<void> {
    if (!(error instanceof SourceFailure) || error.kind !== 'forbidden') throw error
    if (this.#forbidden.has(module)) return
    this.#forbidden.add(module)
    const plan = new PagePlan(this.#context, new WorkingSet(readerOf(this.#parts.store)))
    const message = 'the source does not let this connection read the module'
    plan.issue({ module, id: null, row: null }, { severity: 'warning', code: 'MODULE_FORBIDDEN', message })
    await this.#writer.commit(plan, (run) => run)
  }

  async #writePage(module: SourceModule, page: SourcePage): Promise<void> {
    await this.#importer.import(module, page.records, {
      unreadable: page.unreadable ?? [],
      leftOut: page.leftOut ?? [],
      file: page.file,
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
      await this.#writer.end(
        failed({ code: 'SYSTEMATIC_FAILURE', message: `every record of ${module} failed` }),
      )
      throw new RunLost()
    }
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
        await this.#importer.import(module, found, {
          unreadable: [],
          leftOut: [],
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
    const { dryRun, dateRange, trigger } = this.#run
    const { syncedUntil, deletedReadAt, deletedReadUntil } = this.#integration
    if (syncedUntil === null || dryRun || dateRange !== null || trigger === 'retry') return
    // Syncs in between, which have not read deletions, moved `syncedUntil` on.
    const since = deletedReadUntil ?? syncedUntil
    const isRecent =
      deletedReadAt !== null && Date.parse(this.#context.now()) - Date.parse(deletedReadAt) < 3600_000
    if (trigger === 'auto' && isRecent) return
    const { connection, signal } = this.#parts
    for (const module of modules) {
      if (this.#forbidden.has(module)) continue
      try {
        for await (const page of connection.deleted(module, since, signal)) {
          await this.#writeDeleted(module, page)
        }
      } catch (error) {
        await this.#skipForbidden(module, error)
      }
    }
    await this.#writer.save({
      ...this.#run,
      checkpoint: { ...this.#run.checkpoint, module: null, phase: 'deleted' },
    })
  }

  async #writeDeleted(
    module: SourceModule,
    page: readonly { id: string; deletedAt: string | null }[],
  ): Promise<void> {
    const set = new WorkingSet(readerOf(this.#parts.store))
    const plan = new PagePlan(this.#context, set)
    const deleted = await planDeleted(plan, module, page)
    await this.#writer.commit(plan, (run) => {
      const counts = countsOf(run, module)
      const modules = { ...run.modules, [module]: { ...counts, deleted: counts.deleted + deleted } }
      return { ...run, modules }
    })
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
      await this.#writer.end(answer.end)
      return false
    }
    await wait(answer.waitMs, undefined, { signal })
    return true
  }
}
