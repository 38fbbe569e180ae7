import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import {
  type SourceConnection,
  SourceFailure,
  type SourceModule,
  type SourcePage,
  type SourceRecord,
} from '../../ports/connector.ts'
import type { TenantStore } from '../../ports/storage.ts'
import type { ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import { csvRows } from './csv-rows.ts'
import { type FileRow, recordOfRow } from './file-record.ts'
import { jsonArrayRows, ndjsonRows } from './json-rows.ts'
import { readUtf8 } from './read-text.ts'
import { parseObject } from './sniff-file.ts'
import { mappingOf } from './suggest-mapping.ts'

const pageSize = 200

interface FileSourceParts {
  store: TenantStore
  attachments: Pick<AttachmentStore, 'read'>
}

interface Position {
  offset: number
  row: number
}

type ReadRow = FileRow & { end: number; isBlank: boolean; isUnreadable?: true }

/** Reads the files that were uploaded to an integration. Memory holds one page, however long a file is. */
export function openFileSource(parts: FileSourceParts, integration: IntegrationRecord): SourceConnection {
  const { store, attachments } = parts

  async function fileOf(module: SourceModule): Promise<ImportFileRecord | undefined> {
    const { rows } = await store.importFiles.list({ integrationId: integration._id, page: 1, limit: 100 })
    return rows.filter((file) => file.module === module).at(-1)
  }

  async function* rowsOf(file: ImportFileRecord, from: Position): AsyncGenerator<ReadRow> {
    const open = async (): Promise<Readable> => {
      const stream = await attachments.read({ tenantId: store.tenantId, id: file._id })
      if (stream === undefined) throw new SourceFailure('fatal', 'the uploaded file was removed')
      return stream
    }
    const text = readUtf8(open, { encoding: file.encoding, from: from.offset })
    try {
      yield* file.format === 'csv' ? readCsv(file, text, from) : readJson(file, text, from)
    } catch (error) {
      if (error instanceof SourceFailure) throw error
      throw new SourceFailure('fatal', 'the uploaded file cannot be read')
    }
  }

  async function* recordsOf(
    file: ImportFileRecord,
    from: Position,
  ): AsyncGenerator<{ record: SourceRecord | null; row: ReadRow }> {
    const targets = mappingOf(file.module, file.headers, integration.mapping[file.module])
    const hasId = Object.values(targets).includes('id')
    const counted = new Map<string, number>()
    const { timeZone, dateOrder } = integration
    // The id of a row without one counts equal rows before it, so the file is read from its beginning.
    const start = hasId ? from : { offset: 0, row: 0 }
    for await (const row of rowsOf(file, start)) {
      const idOf = () => {
        const digest = createHash('sha256').update(JSON.stringify(row.values)).digest('base64url').slice(0, 27)
        const count = (counted.get(digest) ?? 0) + 1
        if (!hasId) counted.set(digest, count)
        return count === 1 ? digest : `${digest}_${count}`
      }
      const isRecord = !row.isBlank && row.isUnreadable === undefined
      const record = isRecord
        ? recordOfRow(file.module, row, { targets, rules: { timeZone, dateOrder }, idOf })
        : null
      if (row.row > from.row) yield { record, row }
    }
  }

  async function* pages(module: SourceModule, from: Position): AsyncGenerator<SourcePage> {
    const file = await fileOf(module)
    let page: { records: SourceRecord[]; unreadable: { row: number; message: string }[] } = {
      records: [],
      unreadable: [],
    }
    let last = from
    if (file) {
      for await (const { record, row } of recordsOf(file, from)) {
        if (page.records.length + page.unreadable.length >= pageSize) {
          yield { ...page, next: { ...last }, sourceTime: null }
          page = { records: [], unreadable: [] }
        }
        if (record) page.records.push(record)
        if (row.isUnreadable) page.unreadable.push({ row: row.row, message: 'is no JSON object' })
        last = { offset: row.end, row: row.row }
      }
    }
    yield { ...page, next: null, sourceTime: null }
  }

  return {
    identify: async () => ({ id: integration._id, name: null, email: null, country: null, timeZone: null }),
    describe: async (module) => {
      const file = await fileOf(module)
      const targets = file ? mappingOf(module, file.headers, integration.mapping[module]) : {}
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
    },
    count: async () => null,
    pages: (module, { from }) => pages(module, positionOf(from)),
    byIds: async (module, ids) => {
      const file = await fileOf(module)
      const wanted = new Set(ids)
      const found: SourceRecord[] = []
      if (!file) return found
      for await (const { record, row } of recordsOf(file, { offset: 0, row: 0 })) {
        const isWanted = record !== null && (wanted.has(record.id) || wanted.has(`row:${row.row}`))
        if (isWanted) found.push(record)
      }
      return found
    },
    deleted: async function* () {},
    close: async () => {},
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
