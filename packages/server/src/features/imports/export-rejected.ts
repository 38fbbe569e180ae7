import { type exportRejectedRows, Failure, fileModules, notFound } from '@crmkit/core'
import type { ReadRow } from '../../connectors/files/file-rows.ts'
import { rowsOfFile } from '../../connectors/files/stored-file.ts'
import { columnsOfRejected } from '../../connectors/files/suggest-mapping.ts'
import { withoutErased } from '../../imports/run/erased-rows.ts'
import { csvLine } from '../../shared/csv-line.ts'
import { exportContentTypes, inChunks } from '../../shared/file-chunks.ts'
import { readAll } from '../../shared/read-all.ts'
import { bytesIdOf, type ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { ImportIssueRecord } from '../../storage/kinds/import-issues.ts'
import type { DownloadHandler } from '../stream-handler.ts'
import { assertMayReadFile } from './file-access.ts'
import { getIntegrationRow, getRun } from './find-run.ts'

const pageSize = 100

type Reason = Pick<ImportIssueRecord, 'code' | 'message'>

export const handleExportRejectedRows: DownloadHandler<typeof exportRejectedRows> = async (
  { store, services, actor },
  { params, query },
) => {
  const { _id: runId, balance } = await getRun(store, params)
  const integration = await getIntegrationRow(store, params.id)
  const read = balance?.find((one) => query.module === undefined || one.module === query.module)
  // A package has no rows to correct.
  const module = fileModules.find((one) => one === read?.module)
  if (read === undefined || module === undefined) throw notFound()
  const { fileId } = read
  assertMayReadFile(actor, { module })
  const { tenantId } = store
  const file = await store.importFiles.find(fileId)
  const size = file && (await services.attachments.sizeOf({ tenantId, id: bytesIdOf(file) }))
  if (file === undefined || size === undefined) throw new Failure('GONE', 'The file of this run was removed')
  const reasons = await reasonsByRow(
    readAll<ImportIssueRecord>((cursor) =>
      store.importIssues.listRows({ runId, severity: 'error', page: 1, limit: pageSize, cursor }),
    ),
    module,
  )
  return {
    logName: `rejected rows of import ${runId}`,
    filename: `rejected-${module.toLowerCase()}-${runId}.csv`,
    contentType: exportContentTypes.csv,
    open: async () => {
      const { attachments, openScratch } = services
      const rows = rowsOf({ file, read: rowsOfFile({ attachments, openScratch, file }), reasons })
      return inChunks(linesOf({ store, integration, file }, rows))
    },
  }
}

async function reasonsByRow(
  issues: AsyncIterable<ImportIssueRecord>,
  module: string,
): Promise<Map<number, Reason>> {
  const reasons = new Map<number, Reason>()
  for await (const { row, code, message, ...issue } of issues) {
    if (issue.module === module && row !== null && !reasons.has(row)) reasons.set(row, { code, message })
  }
  return reasons
}

type RejectedRow = Reason & { row: number; cells: readonly string[]; values: ReadonlyMap<string, unknown> }

interface Rejected {
  file: ImportFileRecord
  read: AsyncIterable<ReadRow>
  reasons: ReadonlyMap<number, Reason>
}

async function* rowsOf({ file, read: rows, reasons }: Rejected): AsyncGenerator<RejectedRow> {
  const { headers } = file
  const newest = Math.max(...reasons.keys())
  for await (const found of rows) {
    if (found.row > newest) return
    const reason = reasons.get(found.row)
    if (reason === undefined) continue
    const read = found.type === 'record' ? found.values : undefined
    const cells = found.type === 'unreadable' ? (found.cells ?? []) : cellsOf(read, headers)
    const values = read ?? new Map(headers.map((name, at) => [name, cells[at] ?? '']))
    yield { ...reason, row: found.row, cells, values }
  }
}

type FileOf = Pick<Parameters<typeof withoutErased>[0], 'store' | 'integration' | 'file'>

async function* linesOf(of: FileOf, rows: AsyncIterable<RejectedRow>): AsyncGenerator<string> {
  const { headers } = of.file
  yield csvLine([...headers, ...columnsOfRejected])
  for await (const page of inPages(rows)) {
    const shown = await withoutErased({
      ...of,
      rows: page.map((row) => ({ ...row, surplus: row.cells.slice(headers.length) })),
    })
    for (const { cells, row, code, message } of shown) {
      const blanks = headers.slice(cells.length).map(() => '')
      yield csvLine([...cells, ...blanks, String(row), code, message], { keepsSigns: true })
    }
  }
}

async function* inPages<T>(rows: AsyncIterable<T>): AsyncGenerator<T[]> {
  let page: T[] = []
  for await (const row of rows) {
    page.push(row)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  yield page
}

function cellsOf(values: ReadonlyMap<string, unknown> | undefined, headers: readonly string[]): string[] {
  return headers.map((name) => {
    const value = values?.get(name) ?? ''
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
}
