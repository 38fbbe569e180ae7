import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { csvRows } from '../../imports/files/csv-rows.ts'
import { type FileRow, recordOfRow } from '../../imports/files/file-record.ts'
import { jsonArrayRows, ndjsonRows } from '../../imports/files/json-rows.ts'
import { readUtf8 } from '../../imports/files/read-text.ts'
import { parseObject } from '../../imports/files/sniff-file.ts'
import { mappingOf } from '../../imports/files/suggest-mapping.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import {
  type Connector,
  type SourceAccount,
  type SourceConnection,
  SourceFailure,
  type SourceField,
  type SourceModule,
  type SourcePage,
  type SourceRecord,
} from '../../ports/connector.ts'
import type { OpenScratch, Scratch } from '../../ports/scratch.ts'
import type { Storage, TenantStore } from '../../ports/storage.ts'
import type { ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { TenantId } from '../../storage/records.ts'

const pageSize = 200

interface FileConnectorParts {
  storage: Pick<Storage, 'forTenant'>
  attachments: Pick<AttachmentStore, 'read'>
  openScratch: OpenScratch
}

interface FileSourceParts extends Omit<FileConnectorParts, 'storage'> {
  store: TenantStore
}

interface Position {
  offset: number
  row: number
}

type ReadRow = FileRow & { end: number; isBlank: boolean; isUnreadable?: true }

/** Reads the files that were uploaded to an integration. Memory holds one page, however long a file is. */
export function createFileConnector({ storage, ...parts }: FileConnectorParts): Connector {
  return {
    provider: 'file',
    open: (account): SourceConnection => {
      const store = storage.forTenant(account.tenantId as TenantId)
      const source = new FileSource({ ...parts, store }, account)
      const { integrationId: id } = account
      return {
        identify: async () => ({ id, name: null, email: null, country: null, timeZone: null }),
        describe: (module) => source.describe(module),
        count: async () => null,
        pages: (module, { from }) => source.pages(module, positionOf(from)),
        byIds: (module, ids) => source.byIds(module, ids),
        deleted: async function* () {},
        close: async () => {},
      }
    },
  }
}

interface FoundRow {
  record: SourceRecord | null
  row: ReadRow
}

class FileSource {
  readonly #parts: FileSourceParts
  readonly #account: SourceAccount

  constructor(parts: FileSourceParts, account: SourceAccount) {
    this.#parts = parts
    this.#account = account
  }

  async #fileOf(module: SourceModule): Promise<ImportFileRecord | undefined> {
    const { integrationId } = this.#account
    const { rows } = await this.#parts.store.importFiles.list({ integrationId, page: 1, limit: 100 })
    return rows.filter((file) => file.module === module).at(-1)
  }

  #targetsOf(file: Pick<ImportFileRecord, 'module' | 'headers'>) {
    return mappingOf(file.module, file.headers, this.#account.mapping[file.module])
  }

  async #open(file: ImportFileRecord): Promise<Readable> {
    const { attachments, store } = this.#parts
    const stream = await attachments.read({ tenantId: store.tenantId, id: file._id })
    if (stream === undefined) throw new SourceFailure('fatal', 'the uploaded file was removed')
    return stream
  }

  async *#rowsOf(file: ImportFileRecord, from: Position): AsyncGenerator<ReadRow> {
    const text = readUtf8(() => this.#open(file), { encoding: file.encoding, from: from.offset })
    try {
      yield* file.format === 'csv' ? readCsv(file, text, from) : readJson(file, text, from)
    } catch (error) {
      if (error instanceof SourceFailure) throw error
      throw new SourceFailure('fatal', 'the uploaded file cannot be read')
    }
  }

  async *#recordsOf(file: ImportFileRecord, from: Position): AsyncGenerator<FoundRow> {
    const targets = this.#targetsOf(file)
    const { timeZone, dateOrder } = this.#account
    const rules = { timeZone, dateOrder }
    // The id of a row without one counts the equal rows before it, so the file is read from its beginning.
    const hasId = Object.values(targets).includes('id')
    const rowIds = new RowIds(this.#parts.openScratch)
    const toRecord = (row: ReadRow) =>
      recordOfRow(file.module, row, { targets, rules, idOf: () => rowIds.next(row.values) })
    try {
      for await (const row of this.#rowsOf(file, hasId ? from : { offset: 0, row: 0 })) {
        const isRecord = !row.isBlank && row.isUnreadable === undefined
        const record = isRecord ? toRecord(row) : null
        if (row.row > from.row) yield { record, row }
      }
    } finally {
      rowIds.close()
    }
  }

  async *pages(module: SourceModule, from: Position): AsyncGenerator<SourcePage> {
    const file = await this.#fileOf(module)
    let records: SourceRecord[] = []
    let unreadable: { row: number; message: string }[] = []
    let last = from
    for await (const { record, row } of file ? this.#recordsOf(file, from) : []) {
      if (records.length + unreadable.length >= pageSize) {
        yield { records, unreadable, next: { ...last }, sourceTime: null }
        records = []
        unreadable = []
      }
      if (record) records.push(record)
      if (row.isUnreadable) unreadable.push({ row: row.row, message: 'is no JSON object' })
      last = { offset: row.end, row: row.row }
    }
    yield { records, unreadable, next: null, sourceTime: null }
  }

  async byIds(module: SourceModule, ids: readonly string[]): Promise<SourceRecord[]> {
    const file = await this.#fileOf(module)
    const wanted = new Set(ids)
    const found: SourceRecord[] = []
    for await (const { record, row } of file ? this.#recordsOf(file, { offset: 0, row: 0 }) : []) {
      if (record && (wanted.has(record.id) || wanted.has(`row:${row.row}`))) found.push(record)
    }
    return found
  }

  async describe(module: SourceModule): Promise<SourceField[]> {
    const file = await this.#fileOf(module)
    const targets = file ? this.#targetsOf(file) : {}
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

/** Makes ids of rows without one: a digest of the row, and a number for each equal row after the first. */
class RowIds {
  readonly #openScratch: OpenScratch
  #counts: Scratch | undefined

  constructor(openScratch: OpenScratch) {
    this.#openScratch = openScratch
  }

  next(values: Readonly<Record<string, unknown>>): string {
    this.#counts ??= this.#openScratch()
    const digest = createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 27)
    const count = Number(this.#counts.get(digest) ?? 0) + 1
    this.#counts.set(digest, String(count))
    return count === 1 ? digest : `${digest}_${count}`
  }

  close(): void {
    this.#counts?.close()
  }
}

function positionOf(from: Readonly<Record<string, unknown>> | null): Position {
  return { offset: Number(from?.['offset'] ?? 0), row: Number(from?.['row'] ?? 0) }
}

/** The header has number 1, also when a file is read from its middle. */
async function* readCsv(
  { headers, delimiter }: ImportFileRecord,
  text: AsyncIterable<Buffer>,
  from: Position,
): AsyncGenerator<ReadRow> {
  let { row } = from
  for await (const { cells, end } of csvRows(text, { delimiter: delimiter ?? ',', from: from.offset })) {
    row += 1
    const isHeader = row === 1
    const values = Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? '']))
    yield { row, values, end, isBlank: isHeader || cells.every((cell) => cell.trim() === '') }
  }
}

async function* readJson(
  { format }: ImportFileRecord,
  text: AsyncIterable<Buffer>,
  from: Position,
): AsyncGenerator<ReadRow> {
  let { row } = from
  const rows = format === 'json' ? jsonArrayRows(text, from.offset) : ndjsonRows(text, from.offset)
  for await (const { text: line, end } of rows) {
    row += 1
    const values = line === '' ? {} : parseObject(line)
    if (values === undefined) yield { row, values: {}, end, isBlank: false, isUnreadable: true }
    else yield { row, values, end, isBlank: Object.keys(values).length === 0 }
  }
}
