import { setTimeout as wait } from 'node:timers/promises'
import type {
  LeftOutRow,
  PageOfFile,
  SourceLink,
  SourceModule,
  SourceRecord,
  UnreadableRow,
} from '../../ports/connector.ts'
import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import { DryRows } from '../plan/dry-rows.ts'
import { FailedRows, rowKey } from '../plan/failed-rows.ts'
import { type ImportContext, isSelected, linkIdOf } from '../plan/import-context.ts'
import type { CountedRecord, PagePlan } from '../plan/page-plan.ts'
import { candidatesPerContact, planRecords } from '../plan/plan-records.ts'
import { type RowReader, readerOf, WorkingSet } from '../plan/working-set.ts'
import { mergeAtSource } from './merge-at-source.ts'
import type { WorkerParts } from './run-parts.ts'
import { commitTriesMax, type RunWriter } from './run-writer.ts'

/** Ids that one request to a source names. */
export const idsPerRequest = 100
const seenMax = 50_000

export interface PageExtras {
  unreadable: readonly UnreadableRow[]
  leftOut: readonly LeftOutRow[]
  /** Of a page of a file: the figures of its balance that no record has. */
  file?: PageOfFile | undefined
  advance: (run: ImportRunRecord) => ImportRunRecord
}

/** Imports the records of a page in one commit. */
export class RecordImporter {
  readonly #parts: WorkerParts
  readonly #context: ImportContext
  readonly #writer: RunWriter
  /** A dry run keeps what it would have written. */
  readonly #dryRows: DryRows | undefined
  readonly #reader: RowReader
  /** Records that this process counted already; a source may send one twice. */
  readonly #seen = new Set<string>()
  readonly #failedRows: FailedRows

  constructor(parts: WorkerParts, writer: RunWriter, context: ImportContext) {
    this.#parts = parts
    this.#writer = writer
    this.#context = context
    const stored = readerOf(parts.store)
    this.#dryRows = context.isDryRun ? new DryRows(stored, parts.openScratch()) : undefined
    this.#reader = this.#dryRows ?? stored
    const { store, openScratch } = parts
    this.#failedRows = new FailedRows({ store, openScratch, runId: context.runId })
  }

  /** Imports records in one commit, after the parents that a window of time has left out. */
  async import(module: SourceModule, records: readonly SourceRecord[], extras: PageExtras): Promise<void> {
    await this.#importParents(records)
    if (records.some(({ sameId }) => (sameId?.rows.length ?? 0) > 0)) await this.#failedRows.load()
    // No slot waits for a source.
    const { pages, store, ids } = this.#parts
    await mergeAtSource({ store, ids, context: this.#context }, records)
    await pages.run(store.tenantId, () => this.#write(module, records, extras))
    if (this.#seen.size > seenMax) this.#seen.clear()
    for (const record of records) this.#seen.add(keyOf(record))
  }

  async #write(
    module: SourceModule,
    records: readonly SourceRecord[],
    { unreadable, leftOut, file, advance }: PageExtras,
  ): Promise<void> {
    for (let tries = 1; ; tries++) {
      const set = new WorkingSet(this.#reader, this.#parts.callers)
      const plan = await planRecords(this.#context, set, {
        records,
        wasCounted: (record) => this.#seen.has(keyOf(record)),
        hasFailed: (key) => this.#failedRows.has(key),
      })
      noteOtherRows(plan, module, { unreadable, leftOut })
      plan.tally.file = file
      await set.pauses.takeIfDue()
      try {
        await this.#writer.commit(plan, advance)
        this.#dryRows?.keep(set, candidatesPerContact)
        this.#failedRows.note(plan.rowsFailed)
        break
      } catch (error) {
        const isConflict = error instanceof VersionConflict || error instanceof UniqueConflict
        if (!isConflict || tries >= commitTriesMax) throw error
        await this.#writer.assertOwn()
        await wait(Math.min(10 * 2 ** tries, 500))
      }
    }
  }

  close(): void {
    this.#dryRows?.close()
    this.#failedRows.close()
  }

  async #importParents(records: readonly SourceRecord[]): Promise<void> {
    const { since, before } = this.#writer.run.checkpoint
    if (since === null && before === null) return
    const named = records.flatMap(({ person, parent }) => [person, parent]).filter((one) => one !== null)
    const chosen = named.filter(({ module }) => isSelected(this.#writer.run.selection, module))
    const missing = await this.#withoutLink(chosen)
    for (const [module, links] of Map.groupBy(missing, (link) => link.module)) {
      const ids = [...new Set(links.map(({ id }) => id))]
      for (let start = 0; start < ids.length; start += idsPerRequest) {
        const { connection, signal } = this.#parts
        const found = await connection.byIds(module, ids.slice(start, start + idsPerRequest), signal)
        await this.import(module, found, { unreadable: [], leftOut: [], advance: (run) => run })
      }
    }
  }

  async #withoutLink(links: readonly SourceLink[]): Promise<SourceLink[]> {
    const set = new WorkingSet(this.#reader)
    const idOf = (link: SourceLink) => linkIdOf(this.#context, link)
    await set.load('importLinks', links.map(idOf))
    return links.filter((link) => set.find('importLinks', idOf(link)) === undefined)
  }
}

/** Two rows of a file are two records, also when they have one id. */
function keyOf({ module, id, row }: CountedRecord): string {
  return row === null ? `${module} ${id}` : rowKey({ module, row })
}

/** Notes the rows of a page that are no records. */
function noteOtherRows(
  plan: PagePlan,
  module: SourceModule,
  { unreadable, leftOut }: Pick<PageExtras, 'unreadable' | 'leftOut'>,
): void {
  for (const { row, code, message } of unreadable) {
    plan.issue({ module, id: null, row }, { severity: 'error', code, message })
    plan.count(module, 'failed')
    plan.tally.addRow('failed')
  }
  for (const { row, code, message, cells } of leftOut) {
    plan.countIssue({ module, id: null, row }, { severity: 'skipped', code, message })
    if (code === 'OUTSIDE_TABLE') continue
    plan.count(module, 'skipped')
    plan.tally.addLeftOut(cells)
  }
}
