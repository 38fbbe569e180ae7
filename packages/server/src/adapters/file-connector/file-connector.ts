import { givenWords } from '../../connectors/files/choice-words.ts'
import { ColumnDates } from '../../connectors/files/column-dates.ts'
import { namesErased } from '../../connectors/files/erased-cells.ts'
import { recordOfRow } from '../../connectors/files/file-record.ts'
import type { FileRow, ReadRow } from '../../connectors/files/file-rows.ts'
import { rowsOfFile } from '../../connectors/files/stored-file.ts'
import { ColumnTargets, mappingOf } from '../../connectors/files/suggest-mapping.ts'
import { UnreadableArchive } from '../../connectors/files/zip-file.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import {
  type Connector,
  type LeftOutRow,
  type SourceAccount,
  type SourceConnection,
  SourceFailure,
  type SourceField,
  type SourceModule,
  type SourcePage,
  type SourceRecord,
  type SourceWindow,
  type UnreadableRow,
} from '../../ports/connector.ts'
import type { OpenScratch } from '../../ports/scratch.ts'
import type { Storage, TenantStore } from '../../ports/storage.ts'
import type { WaitingCallers } from '../../shared/waiting-callers.ts'
import type { ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { TenantId } from '../../storage/records.ts'
import { RowIds } from './row-ids.ts'

const pageSize = 200

interface FileConnectorParts {
  storage: Pick<Storage, 'forTenant'>
  attachments: Pick<AttachmentStore, 'read' | 'fileOf'>
  openScratch: OpenScratch
  callers?: WaitingCallers
}

interface FileSourceParts extends Omit<FileConnectorParts, 'storage'> {
  store: TenantStore
}

/** Reads the files that were uploaded to an integration. Memory holds one page, however long a file is. */
export function createFileConnector({ storage, ...parts }: FileConnectorParts): Connector {
  return {
    provider: 'file',
    open: (account): SourceConnection => {
      const store = storage.forTenant(account.tenantId as TenantId)
      const source = new FileSource({ ...parts, store }, account)
      const { integrationId: id } = account
      return {
        lacks: ['Emails'],
        identify: async () => ({ id, name: null, email: null, country: null, timeZone: null }),
        describe: (module) => source.describe(module),
        count: async () => null,
        pages: (module, { from, window }) => source.pages(module, { from: rowOf(from), window }),
        byIds: (module, ids) => source.byIds(module, ids),
        deleted: async function* () {},
        close: async () => {},
      }
    },
  }
}

type FoundRow =
  | Exclude<ReadRow, { type: 'record' }>
  | { type: 'record'; row: number; record: SourceRecord; isErased: boolean }

class FileSource {
  readonly #parts: FileSourceParts
  readonly #account: SourceAccount

  constructor(parts: FileSourceParts, account: SourceAccount) {
    this.#parts = parts
    this.#account = account
  }

  async #fileOf(module: SourceModule): Promise<ImportFileRecord | undefined> {
    const { integrationId } = this.#account
    const { rows } = await this.#parts.store.importFiles.listRows({ integrationId, page: 1, limit: 100 })
    return rows.filter((file) => file.module === module).at(-1)
  }

  #chosenOf({ module }: Pick<ImportFileRecord, 'module'>) {
    return this.#account.mapping[module]
  }

  async *#rowsOf(file: ImportFileRecord): AsyncGenerator<ReadRow> {
    try {
      yield* rowsOfFile({ ...this.#parts, file })
    } catch (error) {
      // A full disk, or a store that is away, says nothing about the file: its run is taken up again.
      if (!(error instanceof UnreadableArchive)) throw error
      throw new SourceFailure('fatal', `the uploaded file ${error.message}`)
    }
  }

  /**
   * Reads a file from its beginning, also when its import goes on in the middle: the rows before say which ids there were, and
   * which columns.
   */
  async *#recordsOf(
    file: ImportFileRecord,
    targets: ColumnTargets,
    rowIds: RowIds,
  ): AsyncGenerator<FoundRow> {
    const dates = await ColumnDates.of(this.#rowsOf(file), targets)
    const { timeZone, dateOrder, isDateOrderChosen, dateOrders } = this.#account
    const chosenOrders = new Map(Object.entries(dateOrders[file.module] ?? {}))
    const words = givenWords(this.#account.values[file.module])
    const toRecord = (row: FileRow) =>
      recordOfRow(file.module, row, {
        targets,
        rules: { timeZone, dateOrder, isDateOrderChosen, chosenOrders, dates },
        words,
        idsOf: (person) => rowIds.next(row.values, person),
        sameIdOf: (id) => rowIds.note(id, row),
      })
    for await (const row of this.#rowsOf(file)) {
      if (row.type !== 'record') yield row
      else {
        const isErased = namesErased(row.values.values(), file)
        yield { type: 'record', row: row.row, record: toRecord(row), isErased }
      }
    }
  }

  async *pages(
    module: SourceModule,
    { from, window }: { from: number; window: SourceWindow },
  ): AsyncGenerator<SourcePage> {
    const file = await this.#fileOf(module)
    if (file === undefined) {
      yield { records: [], next: null, sourceTime: null }
      return
    }
    const rowIds = new RowIds(this.#parts.openScratch, this.#account.integrationId)
    let page = newPage()
    let last = from
    try {
      const targets = new ColumnTargets(file.module, file, this.#chosenOf(file))
      for await (const found of this.#recordsOf(file, targets, rowIds)) {
        if (found.row <= from) continue
        if (page.records.length + page.unreadable.length + page.leftOut.length >= pageSize) {
          yield { ...sourcePageOf(page, file, targets), next: { row: last } }
          page = newPage()
        }
        addTo(page, found, window)
        last = found.row
      }
      yield { ...sourcePageOf(page, file, targets), next: null }
    } finally {
      rowIds.close()
    }
  }

  async byIds(module: SourceModule, ids: readonly string[]): Promise<SourceRecord[]> {
    const file = await this.#fileOf(module)
    const wanted = new Set(ids)
    const rowIds = new RowIds(this.#parts.openScratch, this.#account.integrationId)
    const found: SourceRecord[] = []
    try {
      const targets = file && new ColumnTargets(file.module, file, this.#chosenOf(file))
      for await (const row of file && targets ? this.#recordsOf(file, targets, rowIds) : []) {
        if (row.type !== 'record' || row.isErased) continue
        const isNamed = wanted.has(`row:${row.row}`)
        if (isNamed || wanted.has(row.record.id)) found.push(row.record)
      }
      // A row that is read again by its number gives way to any other row that has its id here already.
      return found.map((record) => {
        const others = wanted.has(`row:${record.row}`) ? rowIds.others(record) : undefined
        return others === undefined ? record : { ...record, sameId: others }
      })
    } finally {
      rowIds.close()
    }
  }

  async describe(module: SourceModule): Promise<SourceField[]> {
    const file = await this.#fileOf(module)
    const targets = file ? mappingOf(file.module, file, this.#chosenOf(file)) : {}
    return (file?.headers ?? []).map((header) => ({
      apiName: header,
      label: header,
      type: 'text',
      required: false,
      readOnly: true,
      custom: false,
      maxLength: null,
      options: [],
      lookupModule: null,
      mappedTo: targets[header] ?? null,
    }))
  }
}

interface PageOfRows {
  records: SourceRecord[]
  unreadable: UnreadableRow[]
  leftOut: LeftOutRow[]
  total: number
  blank: number
  outside: number
}

function newPage(): PageOfRows {
  return { records: [], unreadable: [], leftOut: [], total: 0, blank: 0, outside: 0 }
}

function sourcePageOf(
  { records, unreadable, leftOut, ...rows }: PageOfRows,
  { _id: fileId, module, filename, headers }: ImportFileRecord,
  columns: ColumnTargets,
): Omit<SourcePage, 'next'> {
  const seen = records.flatMap(({ cells }) => [...(cells?.keys() ?? [])])
  const targets = new Map([...headers, ...seen].map((name) => [name, columns.of(name).target]))
  return {
    records,
    unreadable,
    leftOut,
    file: { module, fileId, filename, targets, ...rows },
    sourceTime: null,
  }
}

function addTo(page: PageOfRows, found: FoundRow, window: SourceWindow): void {
  const { row } = found
  page.total += 1
  if (found.type === 'blank') page.blank += 1
  if (found.type === 'head' || found.type === 'outside') page.outside += 1
  if (found.type === 'unreadable') page.unreadable.push({ row, code: found.code, message: found.message })
  if (found.type === 'outside') {
    page.leftOut.push({ row, code: 'OUTSIDE_TABLE', message: 'lines behind the table are no records' })
  }
  if (found.type !== 'record') return
  if (found.isErased) {
    page.leftOut.push({ row, code: 'ERASED', message: 'were erased here', cells: found.record.cells })
    return
  }
  if (isWithin(found.record, window)) page.records.push(found.record)
  else {
    const message = 'their dates are not in the range, or absent'
    page.leftOut.push({ row, code: 'OUT_OF_RANGE', message, cells: found.record.cells })
  }
}

/** Whether the last change of a record, else its creation, lies in the days that were asked for. */
function isWithin({ modifiedAt, createdAt }: SourceRecord, { since, before }: SourceWindow): boolean {
  if (since === null && before === null) return true
  const at = modifiedAt ?? createdAt
  return at !== null && (since === null || at >= since) && (before === null || at < before)
}

/** Returns the row behind which a run goes on. */
function rowOf(from: Readonly<Record<string, unknown>> | null): number {
  return Number(from?.['row'] ?? 0)
}
