import { newIntegration } from '@crmkit/core'
import { expect, test } from 'vitest'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import { newRun } from './new-run.ts'
import { completed, failed, nextSyncAt } from './run-ends.ts'

const now = '2026-01-02T12:00:00.000Z'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const draws = 1_000

const source = {
  provider: 'zoho',
  accountId: 'acc',
  accountName: null,
  accountEmail: null,
  apiDomain: null,
} as const
function integrationWith(set: Partial<IntegrationRecord> = {}): IntegrationRecord {
  return {
    ...newIntegration({ id: 'int_1', tenantId: 'ten_1', now, source }),
    autoSync: { enabled: true, intervalMinutes: 15, nextRunAt: now },
    accountsServer: null,
    sealed: null,
    activeRunId: 'imp_1',
    syncedUntil: null,
    deletedReadAt: null,
    failedSyncs: 0,
    ...set,
  }
}

function runWith(set: Partial<ImportRunRecord> = {}): ImportRunRecord {
  const { importSettings: selection } = integrationWith()
  const made = { id: 'imp_1', tenantId: 'ten_1', now, integrationId: 'int_1', selection } as const
  const run = newRun({ ...made, trigger: 'auto' })
  const checkpoint = { ...run.checkpoint, until: '2026-01-02T11:50:00.000Z' }
  return { ...run, status: 'running', startedAt: '2026-01-02T11:49:00.000Z', checkpoint, ...set }
}

/** Returns the least and the largest wait of many draws, in milliseconds. */
function waits(draw: () => string): [least: number, largest: number] {
  const all = Array.from({ length: draws }, () => Date.parse(draw()) - Date.parse(now))
  return [Math.min(...all), Math.max(...all)]
}

function nextAfterFailures(failedSyncs: number): string {
  const end = failed({ code: 'SOURCE_ERROR', message: 'the source does not respond' })
  const { autoSync } = end({ run: runWith(), integration: integrationWith({ failedSyncs }), now }).integration
  return autoSync?.nextRunAt ?? now
}

// connectors 5, H20
test('the next sync is due after its interval, ten percent sooner or later, and not at one moment for all', () => {
  const [least, largest] = waits(() => nextSyncAt(now, hourMs))
  expect(least).toBeGreaterThanOrEqual(0.9 * hourMs)
  expect(largest).toBeLessThanOrEqual(1.1 * hourMs)
  expect(largest - least).toBeGreaterThan(0.1 * hourMs)
})

// connectors 1, auto-sync
test.each([
  [0, 30 * minuteMs],
  [1, 60 * minuteMs],
  [3, 4 * hourMs],
  [4, 6 * hourMs],
  [40, 6 * hourMs],
])(
  'after %i failed syncs in a row, one more doubles the interval, up to six hours',
  (failedSyncs, expected) => {
    const [least, largest] = waits(() => nextAfterFailures(failedSyncs))
    expect(least).toBeGreaterThanOrEqual(0.9 * expected)
    expect(largest).toBeLessThanOrEqual(1.1 * expected)
  },
)

// connectors 5, H20
test('a refused connection turns the automatic sync off until a person connects again', () => {
  const end = failed({ code: 'REAUTH_REQUIRED', message: 'connect again' })
  expect(end({ run: runWith(), integration: integrationWith(), now }).integration).toMatchObject({
    reauthRequired: true,
    syncStatus: 'failed',
    activeRunId: null,
    autoSync: { enabled: false, nextRunAt: null },
  })
})

// connectors 5, H22
test('the next sync begins five minutes before the time of the source at which this one began', () => {
  const { integration } = completed({ run: runWith(), integration: integrationWith({ failedSyncs: 3 }), now })
  expect(integration).toMatchObject({
    syncedUntil: '2026-01-02T11:45:00.000Z',
    lastSyncAt: now,
    failedSyncs: 0,
    syncStatus: 'idle',
  })
})

// connectors 1, dateRange
test.each([
  ['a range with a start', { startDate: '2026-01-01', endDate: null }],
  ['a range that ended before today', { startDate: null, endDate: '2026-01-01' }],
])('an import of %s does not move the begin of the next sync', (_, dateRange) => {
  const ended = completed({ run: runWith({ dateRange }), integration: integrationWith(), now })
  expect(ended.integration).not.toHaveProperty('syncedUntil')
})

// connectors 1, dateRange
test('an import up to today moves the begin of the next sync, because it has read everything', () => {
  const run = runWith({ dateRange: { startDate: null, endDate: '2026-01-02' } })
  const { syncedUntil } = completed({ run, integration: integrationWith(), now }).integration
  expect(syncedUntil).toBe('2026-01-02T11:45:00.000Z')
})

// connectors 5, H15 and H17
test('neither a retry nor a dry run moves the begin of the next sync, and a dry run leaves the last sync as it was', () => {
  const retry = completed({ run: runWith({ trigger: 'retry' }), integration: integrationWith(), now })
  expect(retry.integration).not.toHaveProperty('syncedUntil')
  const dry = completed({ run: runWith({ dryRun: true }), integration: integrationWith(), now })
  expect(dry.integration).toEqual({ syncStatus: 'idle', activeRunId: null })
})

test('a run with errors is completed with errors', () => {
  const { run } = completed({ run: runWith({ errorCount: 1 }), integration: integrationWith(), now })
  expect(run).toMatchObject({ status: 'completed_with_errors', finishedAt: now })
})
