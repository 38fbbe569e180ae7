import { type CountSheetRow, type getCountSheet, invalidState } from '@crmkit/core'
import { packageKinds } from '@crmkit/core/package'
import { csvLine } from '../../shared/csv-line.ts'
import { exportContentTypes, inChunks } from '../../shared/file-chunks.ts'
import { readAll } from '../../shared/read-all.ts'
import type { ImportIssueRecord } from '../../storage/kinds/import-issues.ts'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { DownloadHandler } from '../stream-handler.ts'
import { getRun } from './find-run.ts'

const pageSize = 1_000
const differencesMax = 50
const columns = ['kind', 'month', 'source', 'package', 'here', 'differences'] as const

type Difference = CountSheetRow['differences'][number]

export const handleCountSheet: DownloadHandler<typeof getCountSheet> = async (
  { store },
  { params, query: { format } },
) => {
  const run = await getRun(store, params)
  const { _id: runId } = run
  if (run.packageFigures === undefined)
    throw invalidState('Only the run of a package has a count sheet', run.status, ['package'])
  const issues = readAll<ImportIssueRecord>((cursor) =>
    store.importIssues.listRows({ runId, page: 1, limit: pageSize, cursor }),
  )
  const rows = rowsOf(run, run.packageFigures, await differencesOf(issues))
  return {
    logName: `count sheet of import ${runId}`,
    filename: `count-sheet-${runId}.${format}`,
    contentType: exportContentTypes[format],
    open: async () => inChunks(format === 'csv' ? csvOf(rows) : jsonOf(rows)),
  }
}

/** Returns the records that are not here, by kind and month. */
async function differencesOf(
  issues: AsyncIterable<ImportIssueRecord>,
): Promise<ReadonlyMap<string, Difference[]>> {
  const found = new Map<string, Difference[]>()
  for await (const { severity, module, externalId, code, details } of issues) {
    if (
      severity !== 'error' &&
      severity !== 'skipped' &&
      code !== 'AUTHOR_UNKNOWN' &&
      code !== 'INBOX_NOT_MAPPED'
    )
      continue
    const key = `${module} ${details?.month ?? ''}`
    const known = found.get(key) ?? []
    if (known.length < differencesMax) known.push({ id: externalId, code })
    found.set(key, known)
  }
  return found
}

type Figures = NonNullable<ImportRunRecord['packageFigures']>

/** Returns the figures of a kind by month; those without a time have the empty month. */
function monthsOf({ total, byMonth = {} }: Figures['counts'][string] = { total: 0 }): Record<string, number> {
  const dated = Object.values(byMonth).reduce((sum, count) => sum + count, 0)
  return total > dated ? { ...byMonth, '': total - dated } : { ...byMonth }
}

/** Returns the rows of all kinds that are at the source, in the package or here. */
function rowsOf(
  { here }: Pick<ImportRunRecord, 'here'>,
  { counts, leftOut }: Figures,
  differences: ReadonlyMap<string, Difference[]>,
): CountSheetRow[] {
  const rows = packageKinds.flatMap((kind) => {
    const inPackage = monthsOf(counts[kind])
    const found = here?.[kind] ?? {}
    const months = [...new Set([...Object.keys(inPackage), ...Object.keys(found)])].sort()
    return months.map((month): CountSheetRow => {
      const [count, isHere] = [inPackage[month] ?? 0, found[month] ?? 0]
      const named = isHere === count ? [] : (differences.get(`${kind} ${month}`) ?? [])
      return { kind, month: month || null, source: count, package: count, here: isHere, differences: named }
    })
  })
  const kept = leftOut.map(({ kind, count: source, reason }): CountSheetRow => {
    return { kind, month: null, source, package: 0, here: 0, differences: [{ id: null, code: reason }] }
  })
  return [...rows, ...kept]
}

async function* jsonOf(rows: readonly CountSheetRow[]): AsyncGenerator<string> {
  yield `${JSON.stringify(rows, null, 1)}\n`
}

async function* csvOf(rows: readonly CountSheetRow[]): AsyncGenerator<string> {
  yield csvLine(columns)
  for (const row of rows) {
    const differences = row.differences.map(({ id, code }) => `${id ?? ''} ${code}`.trim()).join('; ')
    yield csvLine([
      row.kind,
      row.month ?? '',
      String(row.source ?? ''),
      String(row.package),
      String(row.here),
      differences,
    ])
  }
}
