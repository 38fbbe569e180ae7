import type { ImportRun } from '@crmkit/core'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import { progressOf } from './run-state.ts'

/* The ends and pauses of a run, and what each means for its integration. */

interface Ending {
  run: ImportRunRecord
  /** Undefined: it was disconnected meanwhile. */
  integration: IntegrationRecord | undefined
  now: string
}

interface Ended {
  run: ImportRunRecord
  integration: Partial<IntegrationRecord>
}

/** Returns the last state of a run, and what changes of its integration. */
export type RunEnd = (ending: Ending) => Ended

/** A run that ended or waits for its source has not failed here. */
const freshTakesUp = { takesUp: 0, takeUpAt: null }

const overlapMs = 5 * 60_000
const minuteMs = 60_000
const backOffMaxMs = 6 * 3600_000

function idle(run: ImportRunRecord): Partial<IntegrationRecord> {
  return { syncStatus: 'idle', activeRunId: null, ...(!run.dryRun && { syncProgress: progressOf(run) }) }
}

function endedRun(
  run: ImportRunRecord,
  { status, now, error = null }: { status: ImportRun['status']; now: string; error?: ImportRun['error'] },
): ImportRunRecord {
  return { ...run, ...freshTakesUp, status, error, finishedAt: now, resumeAt: null, pauseReason: null }
}

export function completed({ run, integration, now }: Ending): Ended {
  const status = run.errorCount > 0 ? 'completed_with_errors' : 'completed'
  const ended = endedRun(run, { status, now })
  const set = idle(ended)
  if (run.dryRun || !integration) return { run: ended, integration: set }
  const { autoSync } = integration
  const { dateRange, trigger, checkpoint } = run
  const isWhole =
    dateRange === null || (dateRange.startDate === null && (dateRange.endDate ?? now) >= now.slice(0, 10))
  const until = checkpoint.until ?? run.startedAt ?? now
  const isCursor = isWhole && trigger !== 'retry'
  const syncedUntil = new Date(Date.parse(until) - overlapMs).toISOString()
  return {
    run: ended,
    integration: {
      ...set,
      lastSyncAt: now,
      failedSyncs: 0,
      ...(isCursor && { syncedUntil }),
      ...(checkpoint.phase === 'deleted' && { deletedReadAt: now, deletedReadUntil: syncedUntil }),
      autoSync: autoSync.enabled
        ? { ...autoSync, nextRunAt: nextSyncAt(now, autoSync.intervalMinutes * minuteMs) }
        : autoSync,
    },
  }
}

/** Returns the next moment, with ten percent of jitter so that integrations do not sync together. */
export function nextSyncAt(now: string, intervalMs: number): string {
  return new Date(Date.parse(now) + intervalMs * (0.9 + 0.2 * Math.random())).toISOString()
}

export function failed(error: NonNullable<ImportRun['error']>) {
  return ({ run, integration, now }: Ending): Ended => {
    const ended = endedRun(run, { status: 'failed', now, error })
    const failedSyncs = (integration?.failedSyncs ?? 0) + 1
    const isRefused = error.code === 'REAUTH_REQUIRED'
    const set: Partial<IntegrationRecord> = { ...idle(ended), syncStatus: 'failed', failedSyncs }
    if (isRefused) set.reauthRequired = true
    if (integration?.autoSync.enabled) {
      const { autoSync } = integration
      const backOffMs = Math.min(autoSync.intervalMinutes * minuteMs * 2 ** failedSyncs, backOffMaxMs)
      set.autoSync = isRefused
        ? { ...autoSync, enabled: false, nextRunAt: null }
        : { ...autoSync, nextRunAt: nextSyncAt(now, backOffMs) }
    }
    return { run: ended, integration: set }
  }
}

export function cancelled({ run, now }: Ending): Ended {
  const ended = endedRun(run, { status: 'cancelled', now })
  return { run: ended, integration: idle(ended) }
}

export function paused(until: { resumeAt: string; reason: 'rate_limit' | 'quota' }) {
  return ({ run }: Ending): Ended => ({
    run: {
      ...run,
      ...freshTakesUp,
      status: 'paused',
      resumeAt: until.resumeAt,
      pauseReason: until.reason,
    },
    integration: { syncStatus: 'paused' },
  })
}
