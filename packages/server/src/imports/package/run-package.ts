import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '@crmkit/core'
import type { PackageKind } from '@crmkit/core/package'
import { SourceFailure } from '../../ports/connector.ts'
import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import { activeRunStatuses, type ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Stored } from '../../storage/records.ts'
import { DryRows } from '../plan/dry-rows.ts'
import { contextOfIntegration, type ImportContext, type SourceContext } from '../plan/import-context.ts'
import { candidatesPerContact } from '../plan/plan-records.ts'
import { type RowReader, readerOf, WorkingSet } from '../plan/working-set.ts'
import { reportOpenBalance } from '../run/open-balance.ts'
import { completed, failed } from '../run/run-ends.ts'
import { RunLost, type RunParts, type RunRef } from '../run/run-parts.ts'
import { countsOf } from '../run/run-state.ts'
import { commitTriesMax, RunWriter } from '../run/run-writer.ts'
import { recordingNoteId } from './call-recordings.ts'
import { PackageBytes } from './package-bytes.ts'
import { PackageFacts } from './package-facts.ts'
import type { PackageParts } from './package-page.ts'
import { type PackageLine, type PackagePosition, PackageSource } from './package-source.ts'
import { keepPackage } from './package-store.ts'
import { planPackagePage } from './plan-package-page.ts'

const linesPerPage = 500
/** Long messages make a page of fewer lines. */
const bytesPerPage = 4 * 1024 * 1024

/** Works on the run of a package until it ends. `signal` stops it behind the page at hand. */
export async function runPackage(parts: RunParts, ref: RunRef, signal: AbortSignal): Promise<void> {
  const store = parts.storage.forTenant(ref.tenantId)
  const run = await store.importRuns.find(ref.runId)
  if (!run || !activeRunStatuses.includes(run.status)) return
  const integration = await store.integrations.find(run.integrationId)
  if (integration?.provider !== 'package') return
  const source = await contextOfIntegration(store, integration)
  const worker = new PackageWorker(parts, { ref, run, integration, source, signal })
  try {
    await worker.run()
  } catch (error) {
    if (error instanceof RunLost || signal.aborted) return
    throw error
  } finally {
    worker.close()
  }
}

interface Work {
  ref: RunRef
  run: Stored<ImportRunRecord>
  integration: Stored<IntegrationRecord>
  source: SourceContext
  signal: AbortSignal
}

/** Reads the files of a package, page by page. */
class PackageWorker {
  readonly #parts: RunParts
  readonly #work: Work
  readonly #context: ImportContext
  readonly #writer: RunWriter
  readonly #facts: PackageFacts
  readonly #dryRows: DryRows | undefined
  readonly #reader: RowReader
  readonly #page: PackageParts

  constructor(parts: RunParts, work: Work) {
    const { ref, run, integration, source } = work
    const store = parts.storage.forTenant(ref.tenantId)
    const now = () => new Date(parts.clock.nowMs()).toISOString()
    this.#parts = parts
    this.#work = work
    this.#context = {
      ...source,
      store,
      ids: parts.ids,
      now,
      runId: run._id,
      selection: run.selection,
      isDryRun: run.dryRun,
      emitEvents: false,
    }
    this.#writer = new RunWriter({ ...parts, store, now }, run)
    this.#facts = new PackageFacts(parts.openScratch())
    const stored = readerOf(store)
    this.#dryRows = run.dryRun ? new DryRows(stored, parts.openScratch()) : undefined
    this.#reader = this.#dryRows ?? stored
    const { attachments, ids } = parts
    const bytes = new PackageBytes({ store, attachments, ids, integration, facts: this.#facts, now })
    const [product = ''] = integration.accountId.split(':')
    this.#page = {
      context: this.#context,
      facts: this.#facts,
      bytes,
      product,
      inboxes: run.inboxes ?? {},
      isHandedOver: integration.handover === 'done',
    }
  }

  get #run(): Stored<ImportRunRecord> {
    return this.#writer.run
  }

  async run(): Promise<void> {
    await this.#begin()
    try {
      const { integration } = this.#work
      const { store } = this.#context
      await this.#keepFiles()
      const source = await PackageSource.open({ ...this.#parts, store }, integration)
      await this.#facts.load(store, source)
      for (const kind of source.kinds) {
        if (countsOf(this.#run, kind).done) continue
        if (kind === 'attachments') await this.#noteUses(source)
        await this.#readKind(source, kind)
      }
      await reportOpenBalance(this.#parts, { context: this.#context, writer: this.#writer })
      await this.#keepFiles()
      await this.#writer.end(completed)
    } catch (error) {
      this.#work.signal.throwIfAborted()
      const end = endOf(error)
      if (end === undefined) throw error
      await this.#writer.end(failed(end))
    }
  }

  close(): void {
    this.#facts.close()
    this.#dryRows?.close()
  }

  /** The files go some days after the run that reads them, so that another run can. */
  async #keepFiles(): Promise<void> {
    if (this.#run.dryRun) return
    await keepPackage(this.#context.store, this.#work.integration, this.#context.now())
  }

  async #begin(): Promise<void> {
    const isLost = this.#run.dryRun && this.#run.startedAt !== null
    const fresh = {
      modules: {},
      here: {},
      balance: undefined,
      errors: [],
      errorCount: 0,
      warningCount: 0,
      conflictsKept: 0,
    }
    const startedAt = this.#run.startedAt ?? this.#context.now()
    await this.#writer.save(
      {
        ...this.#run,
        ...(isLost && { ...fresh, checkpoint: { ...this.#run.checkpoint, module: null, position: null } }),
        status: 'running',
        startedAt,
        resumeAt: null,
        pauseReason: null,
      },
      'running',
    )
  }

  /** Notes which message or note has which file. */
  async #noteUses(source: PackageSource): Promise<void> {
    for (const kind of ['messages', 'notes', 'calls'] as const) {
      for await (const line of source.lines(kind)) {
        if (!('record' in line)) continue
        const { id, attachmentIds } = line.record
        const by = kind === 'calls' ? { module: 'notes', id: recordingNoteId(id) } : { module: kind, id }
        this.#facts.use(attachmentIds ?? [], by)
        this.#work.signal.throwIfAborted()
      }
    }
  }

  async #readKind(source: PackageSource, kind: PackageKind): Promise<void> {
    const { checkpoint, modules } = this.#run
    const from = checkpoint.module === kind ? (checkpoint.position as PackagePosition | null) : null
    if (from === null) {
      const total = source.manifest.files
        .filter((file) => file.kind === kind)
        .reduce((sum, { lines }) => sum + lines, 0)
      const counts = { ...countsOf(this.#run, kind), total }
      await this.#writer.save({ ...this.#run, modules: { ...modules, [kind]: counts } })
    }
    let lines: PackageLine[] = []
    let beganAt = from?.byte ?? 0
    let file = from?.file
    for await (const line of source.lines(kind, from)) {
      if (line.position.file !== file) {
        file = line.position.file
        beganAt = 0
      }
      lines.push(line)
      if (lines.length < linesPerPage && line.position.byte - beganAt < bytesPerPage) continue
      await this.#writePage(kind, lines)
      lines = []
      beganAt = line.position.byte
    }
    if (lines.length > 0) await this.#writePage(kind, lines)
    await this.#finishKind(kind)
  }

  async #finishKind(kind: PackageKind): Promise<void> {
    const counts = countsOf(this.#run, kind)
    const modules = { ...this.#run.modules, [kind]: { ...counts, total: counts.read, done: true } }
    const checkpoint = { ...this.#run.checkpoint, module: null, position: null }
    await this.#writer.save({ ...this.#run, modules, checkpoint })
  }

  async #writePage(kind: PackageKind, lines: readonly PackageLine[]): Promise<void> {
    const { pages } = this.#parts
    await pages.run(this.#context.store.tenantId, () => this.#tryPage(kind, lines))
    this.#work.signal.throwIfAborted()
  }

  async #tryPage(kind: PackageKind, lines: readonly PackageLine[]): Promise<void> {
    const position = lines.at(-1)?.position
    for (let tries = 1; ; tries++) {
      const set = new WorkingSet(this.#reader, this.#parts.callers)
      const { plan, here } = await planPackagePage(this.#page, set, { kind, lines })
      await set.pauses.takeIfDue()
      try {
        await this.#writer.commit(plan, (run) => ({
          ...run,
          here: here.addedTo(run.here, kind),
          checkpoint: {
            ...run.checkpoint,
            module: kind,
            position: position === undefined ? null : { ...position },
          },
        }))
        this.#dryRows?.keep(set, candidatesPerContact)
        return
      } catch (error) {
        const isConflict = error instanceof VersionConflict || error instanceof UniqueConflict
        if (!isConflict || tries >= commitTriesMax) throw error
        await this.#writer.assertOwn()
        await wait(Math.min(10 * 2 ** tries, 500))
      }
    }
  }
}

/** Returns the error with which a run ends; undefined for a fault of the program. */
function endOf(error: unknown): { code: string; message: string } | undefined {
  if (error instanceof Failure && error.code === 'QUOTA_EXCEEDED')
    return { code: error.code, message: error.message }
  if (error instanceof SourceFailure) return { code: 'SOURCE_ERROR', message: error.message }
  return undefined
}
