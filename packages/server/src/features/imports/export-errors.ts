import type { exportImportErrors } from '@crmkit/core'
import { csvLine } from '../../shared/csv-line.ts'
import { exportContentTypes, inChunks } from '../../shared/file-chunks.ts'
import { readAll } from '../../shared/read-all.ts'
import type { ImportIssueRecord } from '../../storage/kinds/import-issues.ts'
import type { DownloadHandler } from '../stream-handler.ts'
import { getRun, showIssue } from './find-run.ts'

const pageSize = 100
const columns = [
  'severity',
  'module',
  'externalId',
  'row',
  'code',
  'message',
  'createdAt',
  'column',
  'value',
  'count',
] as const

export const handleExportImportErrors: DownloadHandler<typeof exportImportErrors> = async (
  { store },
  { params, query: { severity, code, format } },
) => {
  const { _id: runId } = await getRun(store, params)
  const issues = readAll<ImportIssueRecord>((cursor) =>
    store.importIssues.listRows({ runId, severity, code, page: 1, limit: pageSize, cursor }),
  )
  return {
    logName: `errors of import ${runId}`,
    filename: `import-errors-${runId}.${format}`,
    contentType: exportContentTypes[format],
    open: async () => inChunks(format === 'csv' ? csvOf(issues) : jsonOf(issues)),
  }
}

async function* csvOf(issues: AsyncIterable<ImportIssueRecord>): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const row of issues) {
    const issue = showIssue(row)
    yield csvLine(columns.map((name) => String(issue[name] ?? '')))
  }
}

async function* jsonOf(issues: AsyncIterable<ImportIssueRecord>): AsyncGenerator<string> {
  let separator = '['
  for await (const issue of issues) {
    yield `${separator}\n${JSON.stringify(showIssue(issue))}`
    separator = ','
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}
