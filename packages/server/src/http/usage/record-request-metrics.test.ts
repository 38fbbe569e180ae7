import { expect, it } from 'vitest'
import type { RequestMetricsIncrement } from '../../ports/system-store.ts'
import type { TenantId } from '../../storage/records.ts'
import { bucketOf } from '../../storage/response-times.ts'
import { RequestMetricsRecorder } from './record-request-metrics.ts'

const [a, b] = ['ten_a', 'ten_b'] as [TenantId, TenantId]

function newRecorder(at: string) {
  const written: RequestMetricsIncrement[] = []
  const state = { nowMs: Date.parse(at), isFailing: false }
  const recorder = new RequestMetricsRecorder(
    {
      addRequestMetrics: async (increments) => {
        if (state.isFailing) return increments
        written.push(...increments)
        return []
      },
    },
    { clock: { nowMs: () => state.nowMs }, onDropped: () => undefined },
  )
  return { recorder, state, written }
}

it('adds up the outcomes and the times of a tenant, and counts requests without a time or a response', async () => {
  const { recorder, written } = newRecorder('2026-03-10T12:00:00.000Z')
  recorder.record(a, 200, 1.5)
  recorder.record(a, 201, 1.5)
  recorder.record(a, 304, 7)
  recorder.record(a, 404, 0.5)
  recorder.record(a, 503, 0.5)
  recorder.record(a, 200)
  recorder.record(a, 0)
  recorder.record(b, 200, 3)
  await recorder.flush()
  await recorder.flush()
  const buckets = { [bucketOf(0.5)]: 2, [bucketOf(1.5)]: 2, [bucketOf(7)]: 1 }
  expect(written).toEqual([
    { tenantId: a, month: '2026-03', requests: 7, successful: 3, failed: 2, timed: 5, totalMs: 11, buckets },
    {
      ...{ tenantId: b, month: '2026-03', requests: 1, successful: 1, failed: 0 },
      ...{ timed: 1, totalMs: 3, buckets: { [bucketOf(3)]: 1 } },
    },
  ])
})

it('counts a request for the month in UTC in which it ends', async () => {
  const { recorder, state, written } = newRecorder('2026-12-31T23:59:59.999Z')
  recorder.record(a, 200, 1)
  state.nowMs += 1
  recorder.record(a, 200, 1)
  recorder.record(a, 200, 1)
  await recorder.flush()
  expect(written.map(({ month, requests }) => [month, requests])).toEqual([
    ['2026-12', 1],
    ['2027-01', 2],
  ])
})

it('writes increments that the storage refused with those that follow, each once', async () => {
  const { recorder, state, written } = newRecorder('2026-03-10T12:00:00.000Z')
  state.isFailing = true
  for (let flush = 0; flush < 3; flush++) {
    recorder.record(a, 200, 2)
    await recorder.flush()
  }
  state.isFailing = false
  recorder.record(a, 500, 2)
  await recorder.stop()
  await recorder.flush()
  const total = { requests: 4, successful: 3, failed: 1, timed: 4, totalMs: 8, buckets: { [bucketOf(2)]: 4 } }
  expect(written).toEqual([{ tenantId: a, month: '2026-03', ...total }])
})
