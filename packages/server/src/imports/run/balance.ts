import type { ImportBalance, ImportRun } from '@crmkit/core'
import type { ImportRunRecord, StoredBalance } from '../../storage/kinds/import-runs.ts'
import type { PageTally } from '../plan/page-tally.ts'

const noRows = {
  total: 0,
  blank: 0,
  outside: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  merged: 0,
  skipped: 0,
  failed: 0,
  repeated: 0,
}
const noCells = { cells: 0, stored: 0, kept: 0, named: 0, leftOut: 0 }

/** Adds the rows and cells of a page to the balance of its file. */
export function withTally(
  balance: readonly StoredBalance[] | undefined,
  { file, rows, columns }: PageTally,
): readonly StoredBalance[] | undefined {
  if (file === undefined) return balance
  const { module, fileId, filename, targets, total, blank, outside } = file
  const known = balance ?? []
  const before = known.find((one) => one.fileId === fileId)
  const sums = { ...(before?.rows ?? noRows) }
  for (const [figure, count] of [...rows, ['total', total], ['blank', blank], ['outside', outside]] as const)
    sums[figure] += count
  const byName = new Map((before?.columns ?? []).map((column) => [column.name, column]))
  for (const [name, target] of targets) byName.set(name, { ...noCells, ...byName.get(name), name, target })
  for (const [name, figures] of columns) {
    const column = { ...noCells, name, target: null, ...byName.get(name) }
    for (const [figure, count] of figures) column[figure] += count
    byName.set(name, column)
  }
  const after = { module, fileId, filename, rows: sums, columns: [...byName.values()] }
  return before ? known.map((one) => (one === before ? after : one)) : [...known, after]
}

/** Returns the sums of a file that are not equal, for people; null when each row and each cell is in one figure. */
export function openFigures({ rows, columns }: StoredBalance): string | null {
  const { total, ...figures } = rows
  const sum = Object.values(figures).reduce((a, b) => a + b, 0)
  if (sum !== total) return `${total} rows, ${sum} in the figures`
  for (const { name, cells, stored, kept, named, leftOut } of columns) {
    const counted = stored + kept + named + leftOut
    if (counted !== cells) return `column ${name}: ${cells} cells, ${counted} in the figures`
  }
  return null
}

/** Returns the balance of a run as its tenant sees it; in a list of runs without the columns. */
export function showBalance(
  { balance, status }: Pick<ImportRunRecord, 'balance' | 'status'>,
  { hasColumns }: { hasColumns: boolean },
): ImportBalance | null {
  if (balance === undefined) return null
  const files = balance.map(({ columns, ...file }) => (hasColumns ? { ...file, columns } : file))
  return { closes: closesOf(status, balance), files }
}

function closesOf(status: ImportRun['status'], balance: readonly StoredBalance[]): boolean | null {
  if (status === 'queued' || status === 'running' || status === 'paused') return null
  const isComplete = status === 'completed' || status === 'completed_with_errors'
  return isComplete && balance.every((file) => openFigures(file) === null)
}
