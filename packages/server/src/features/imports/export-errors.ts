import type { exportImportErrors, ImportIssue } from '@crmkit/core'
import { csvLine } from '../../shared/csv-line.ts'
import { exportContentTypes, inChunks } from '../../shared/file-chunks.ts'
import { readAll } from '../../shared/read-all.ts'
import type { DownloadHandler } from '../stream-handler.ts'
import { getRun } from './find-run.ts'

const pageSize = 100
const columns = ['severity', 'module', 'externalId', 'row', 'code', 'message', 'createdAt'] as const

export const handleExportImportErrors: DownloadHandler<typeof exportImportErrors> = async (
  { store },
  { params, query: { severity, format } },
) => {
  const { _id: runId } = await getRun(store, params)
  const issues = readAll<ImportIssue>((cursor) =>
    store.importIssues.list({ runId, severity, page: 1, limit: pageSize, cursor }),
  )
  return {
    logName: `errors of import ${runId}`,
    filename: `import-errors-${runId}.${format}`,
    contentType: exportContentTypes[format],
    open: async () => inChunks(format === 'csv' ? csvOf(issues) : jsonOf(issues)),
  }
}

async function* csvOf(issues: AsyncIterable<ImportIssue>): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const issue of issues) yield csvLine(columns.map((name) => String(issue[name] ?? '')))
}

async function* jsonOf(issues: AsyncIterable<ImportIssue>): AsyncGenerator<string> {
  let separator = '['
  for await (const { _id, runId, severity, module, externalId, row, code, message, createdAt } of issues) {
    const shown = { _id, runId, severity, module, externalId, row, code, message, createdAt }
    yield `${separator}\n${JSON.stringify(shown)}`
    separator = ','
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}
