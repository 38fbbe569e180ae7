import type { ImportRun, ImportSettings } from '@crmkit/core'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import { issueKeepMs, later } from '../plan/page-plan.ts'

export interface NewRun {
  id: string
  tenantId: string
  now: string
  integrationId: string
  trigger: ImportRun['trigger']
  selection: ImportSettings
  dateRange?: ImportRun['dateRange']
  dryRun?: boolean
  /** Where an automatic sync begins. */
  since?: string | null
  retryOf?: string | null
}

const noUndo = {
  status: 'none',
  startedAt: null,
  finishedAt: null,
  removed: 0,
  restored: 0,
  kept: 0,
} as const
const dayMs = 24 * 3600 * 1000

export function newRun(made: NewRun): ImportRunRecord {
  const { id, tenantId, now, integrationId, trigger, selection } = made
  const { dateRange = null, dryRun = false, since = null, retryOf = null } = made
  const { startDate, endDate } = dateRange ?? { startDate: null, endDate: null }
  return {
    _id: id,
    tenantId,
    integrationId,
    trigger,
    status: 'queued',
    dryRun,
    selection,
    dateRange,
    startedAt: null,
    finishedAt: null,
    resumeAt: null,
    pauseReason: null,
    error: null,
    modules: {},
    errorCount: 0,
    warningCount: 0,
    conflictsKept: 0,
    retryOf,
    undo: noUndo,
    errors: [],
    issueCount: 0,
    checkpoint: {
      v: 1,
      since: startDate === null ? since : `${startDate}T00:00:00.000Z`,
      before: endDate === null ? null : later(`${endDate}T00:00:00.000Z`, dayMs),
      module: null,
      phase: 'list',
      position: null,
      until: null,
      tries: 0,
      only: null,
    },
    undoModule: null,
    expiresAt: later(now, issueKeepMs),
    createdAt: now,
    updatedAt: now,
  }
}
