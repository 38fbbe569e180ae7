import { updatedImportSettings } from '@crmkit/core'
import { expect, test } from 'vitest'
import { SourceFailure } from '../../ports/connector.ts'
import type { TenantId } from '../../storage/records.ts'
import { afterFailure } from './after-failure.ts'
import { newRun } from './new-run.ts'

const nowMs = Date.parse('2026-01-01T00:00:00.000Z')
const hourMs = 3600_000

const all = {
  importContacts: true,
  importDeals: true,
  importTickets: true,
  importNotes: true,
  importActivities: true,
  preserveIds: false,
}
const now = new Date(nowMs).toISOString()
const run = newRun({
  id: 'imp_1',
  tenantId: 'ten_1' as TenantId,
  now,
  integrationId: 'int_1',
  trigger: 'manual',
  selection: updatedImportSettings(all, {}),
})

/** Returns the wait before the next try, or the run as the failure ends or pauses it. */
function decide(kind: SourceFailure['kind'], tries: number, retryAt: string | null = null) {
  const decided = afterFailure(new SourceFailure(kind, 'the source refused', retryAt), { tries, nowMs })
  return 'waitMs' in decided ? decided : { end: decided.end({ run, integration: undefined, now }).run }
}

// connectors 5, H19
test('a failed request is tried eight times, with waits that double from half a second to thirty, and then fails the run', () => {
  const bases = [500, 1000, 2000, 4000, 8000, 16_000, 30_000]
  for (const [index, base] of bases.entries()) {
    const decided = decide('transient', index + 1)
    if (!('waitMs' in decided)) throw new Error(`the try ${index + 1} ended the run`)
    expect(decided.waitMs).toBeGreaterThanOrEqual(base * 0.8)
    expect(decided.waitMs).toBeLessThanOrEqual(base * 1.2)
  }
  expect(decide('transient', 8)).toMatchObject({
    end: { status: 'failed', error: { code: 'SOURCE_ERROR' } },
  })
})

// connectors 5, H19
test('a rate limit never fails a run: it waits up to five seconds, and is paused beyond them', () => {
  const waits = [1, 2, 3, 4].map((tries) => decide('rate', tries))
  expect(waits).toEqual([{ waitMs: 500 }, { waitMs: 1000 }, { waitMs: 2000 }, { waitMs: 4000 }])
  expect(decide('rate', 5)).toMatchObject({
    end: { status: 'paused', pauseReason: 'rate_limit', resumeAt: '2026-01-01T00:00:08.000Z' },
  })
  expect(decide('rate', 1000)).toMatchObject({
    end: { status: 'paused', pauseReason: 'rate_limit', resumeAt: '2026-01-01T00:01:00.000Z' },
  })
})

// connectors 5, H19
test('a rate limit with a moment is waited for until that moment', () => {
  expect(decide('rate', 1, '2026-01-01T00:00:03.000Z')).toEqual({ waitMs: 3000 })
  expect(decide('rate', 9, '2026-01-01T00:10:00.000Z')).toMatchObject({
    end: { status: 'paused', pauseReason: 'rate_limit', resumeAt: '2026-01-01T00:10:00.000Z' },
  })
})

// connectors 5, H19
test('a daily quota pauses a run for one hour, and longer each time up to six hours', () => {
  for (const [tries, hours] of [
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 6],
    [50, 6],
  ] as const) {
    const resumeAt = new Date(nowMs + hours * hourMs).toISOString()
    expect(decide('quota', tries)).toMatchObject({
      end: { status: 'paused', pauseReason: 'quota', resumeAt },
    })
  }
})

// connectors 5, H13
test('a refused grant and a refused request fail a run at once, each with its own code', () => {
  expect(decide('auth', 1)).toMatchObject({ end: { status: 'failed', error: { code: 'REAUTH_REQUIRED' } } })
  for (const kind of ['forbidden', 'fatal'] as const) {
    expect(decide(kind, 1)).toMatchObject({ end: { status: 'failed', error: { code: 'SOURCE_ERROR' } } })
  }
})
