import type { ImportCounts } from '@crmkit/core'
import { importModules, issuesPerRunMax } from '@crmkit/core/vocabulary'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { PagePlan } from '../plan/page-plan.ts'

const errorsShownMax = 100

const noCounts: ImportCounts = {
  total: null,
  totalIsEstimate: false,
  read: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  merged: 0,
  skipped: 0,
  failed: 0,
  deleted: 0,
  done: false,
}

export function countsOf(run: Pick<ImportRunRecord, 'modules'>, module: string): ImportCounts {
  return run.modules[module] ?? noCounts
}

type Reported = Pick<PagePlan, 'outcomes' | 'issues' | 'conflictsKept'>

/** Returns the figures of a run after a page: each record in one of them. */
export function withPage(run: ImportRunRecord, page: Reported): ImportRunRecord {
  const modules = { ...run.modules }
  for (const [module, outcomes] of page.outcomes) {
    const counts = { ...countsOf(run, module) }
    for (const outcome of outcomes) counts[outcome] += 1
    counts.read += outcomes.length
    modules[module] = counts
  }
  const shown = page.issues.filter(({ severity }) => severity === 'error' || severity === 'warning')
  const lines = shown.map(({ module, externalId, code, message }) =>
    `${module} ${externalId ?? ''}: ${code} ${message}`.slice(0, 300),
  )
  const ofSeverity = (wanted: string) => page.issues.filter(({ severity }) => severity === wanted).length
  return {
    ...run,
    modules,
    errors: [...run.errors, ...lines].slice(-errorsShownMax),
    errorCount: run.errorCount + ofSeverity('error'),
    warningCount: run.warningCount + ofSeverity('warning'),
    conflictsKept: run.conflictsKept + page.conflictsKept,
    issueCount: run.issueCount + storedIssues(run, page).length,
  }
}

/**
 * Returns the rows of a page's issues that are stored: beyond the limit of a run they are only counted. Errors have a limit of
 * their own, because a retry reads the failed records from them: no number of warnings may hide one.
 */
export function storedIssues(
  { issueCount, errorCount }: Pick<ImportRunRecord, 'issueCount' | 'errorCount'>,
  { issues }: Pick<Reported, 'issues'>,
) {
  const storedErrors = Math.min(errorCount, issuesPerRunMax)
  const left = { error: issuesPerRunMax - storedErrors, other: issuesPerRunMax - (issueCount - storedErrors) }
  return issues.filter(({ severity }) => {
    const sort = severity === 'error' ? 'error' : 'other'
    left[sort] -= 1
    return left[sort] >= 0
  })
}

const failedInARowMax = 50

/** Returns whether all of the first records of a module failed: the fault is in the source or its mapping. */
export function isSystematicFault({ modules }: Pick<ImportRunRecord, 'modules'>, module: string): boolean {
  const counts = modules[module]
  return counts !== undefined && counts.failed >= failedInARowMax && counts.failed === counts.read
}

/** The progress of a run as its integration shows it. */
export function progressOf(run: Pick<ImportRunRecord, 'modules' | 'errors' | 'checkpoint' | 'status'>) {
  const counts = Object.values(run.modules)
  const sum = (of: (one: ImportCounts) => number) => counts.reduce((total, one) => total + of(one), 0)
  const isActive = run.status === 'running' || run.status === 'paused'
  const isCounted = importModules.some((module) => module === run.checkpoint.module)
  return {
    totalRecords: sum(({ total, read, done }) => (done ? read : Math.max(total ?? 0, read))),
    processedRecords: sum(({ read }) => read),
    currentModule: isActive && isCounted ? run.checkpoint.module : null,
    errors: run.errors,
  }
}
