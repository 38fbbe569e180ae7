import type { ImportRun } from '@crmkit/sdk'
import type { Column, Tone } from '../../output/column.ts'

type Counts = ImportRun['modules'][string]

const tones: Readonly<Record<string, Tone>> = {
  completed: 'good',
  completed_with_errors: 'attention',
  paused: 'attention',
  failed: 'bad',
  cancelled: 'quiet',
}

function sumOf({ modules }: ImportRun, count: (counts: Counts) => number): number {
  return Object.values(modules).reduce((sum, counts) => sum + count(counts), 0)
}

function balanceOf({ balance }: ImportRun): string | null {
  const closes = balance?.closes ?? null
  return closes === null ? null : closes ? 'closes' : 'open'
}

export const runColumns: readonly Column<ImportRun>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Status', value: (row) => row.status, tone: (row) => tones[row.status] },
  { title: 'Trigger', value: (row) => row.trigger, isOptional: true },
  { title: 'Dry run', value: (row) => row.dryRun, isOptional: true },
  { title: 'Read', value: (row) => sumOf(row, ({ read }) => read) },
  { title: 'Created', value: (row) => sumOf(row, ({ created }) => created) },
  { title: 'Updated', value: (row) => sumOf(row, ({ updated }) => updated), isOptional: true },
  {
    title: 'Errors',
    value: (row) => row.errorCount,
    tone: (row) => (row.errorCount > 0 ? 'bad' : undefined),
  },
  { title: 'Warnings', value: (row) => row.warningCount, isOptional: true },
  { title: 'Started', value: (row) => row.startedAt, isTime: true },
  { title: 'Finished', value: (row) => row.finishedAt, isTime: true, isOptional: true },
  { title: 'Resumes', value: (row) => row.resumeAt, isDeadline: true, isDetail: true },
  { title: 'Reason', value: (row) => row.error?.message ?? row.pauseReason, isDetail: true },
  { title: 'Kept edits', value: (row) => row.conflictsKept, isDetail: true },
  { title: 'Balance', value: (row) => balanceOf(row), isDetail: true },
  { title: 'Undo', value: (row) => row.undo.status, isDetail: true },
]

/** The figures of one module, with its name. */
export interface ModuleRow extends Counts {
  readonly module: string
}

export function moduleRows({ modules }: Pick<ImportRun, 'modules'>): ModuleRow[] {
  return Object.entries(modules).map(([module, counts]) => ({ ...counts, module }))
}

export const moduleColumns: readonly Column<ModuleRow>[] = [
  { title: 'Module', value: (row) => row.module },
  { title: 'Read', value: (row) => row.read },
  { title: 'Created', value: (row) => row.created },
  { title: 'Updated', value: (row) => row.updated },
  { title: 'Unchanged', value: (row) => row.unchanged },
  { title: 'Merged', value: (row) => row.merged },
  { title: 'Skipped', value: (row) => row.skipped },
  { title: 'Failed', value: (row) => row.failed, tone: (row) => (row.failed > 0 ? 'bad' : undefined) },
  { title: 'Deleted', value: (row) => row.deleted, isOptional: true },
]

type BalancedColumn = NonNullable<NonNullable<ImportRun['balance']>['files'][number]['columns']>[number]

/** The figures of the cells of a column. */
export const balanceColumns: readonly Column<BalancedColumn>[] = [
  { title: 'Column', value: (row) => row.name },
  { title: 'Target', value: (row) => row.target },
  { title: 'Cells', value: (row) => row.cells },
  { title: 'Stored', value: (row) => row.stored },
  { title: 'Custom field', value: (row) => row.kept },
  {
    title: 'Named as issue',
    value: (row) => row.named,
    tone: (row) => (row.named > 0 ? 'attention' : undefined),
  },
  { title: 'Left out', value: (row) => row.leftOut, isOptional: true },
]

const dryTitles: Readonly<Record<string, string>> = {
  Created: 'Would create',
  Updated: 'Would update',
  Merged: 'Would merge',
}

export const dryRunColumns = moduleColumns.map((column) => ({
  ...column,
  title: dryTitles[column.title] ?? column.title,
}))
