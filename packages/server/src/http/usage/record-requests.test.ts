import { createCustomer, type Operation } from '@crmkit/core'
import { expect, it } from 'vitest'
import type { RequestMetricsIncrement, UsageIncrement } from '../../ports/system-store.ts'
import type { TenantId } from '../../storage/records.ts'
import { bucketOf } from '../../storage/response-times.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import type { KeyUse } from './record-key-use.ts'
import { RequestRecorder } from './record-requests.ts'

const [a, b] = ['ten_a', 'ten_b'] as [TenantId, TenantId]
const operation: Operation = createCustomer

function newRecorder(at: string) {
  const written: RequestMetricsIncrement[] = []
  const state = { nowMs: Date.parse(at), isFailing: false }
  const usage: UsageIncrement[] = []
  const used: KeyUse[] = []
  const recorder = new RequestRecorder(
    {
      addUsage: async (increments) => {
        usage.push(...increments)
        return []
      },
      addRequestMetrics: async (increments) => {
        if (state.isFailing) return increments
        written.push(...increments)
        return []
      },
    },
    {
      clock: { nowMs: () => state.nowMs },
      onDropped: () => undefined,
      onKeyUsed: (use) => used.push(use),
    },
  )
  const record = (tenantId: TenantId, status: number, ms?: number, more: Partial<Sent> = {}) => {
    const { key, isAdmitted = true } = more
    const actor = key === undefined ? { type: 'user', _id: 'usr_1' } : { type: 'apiKey', _id: key }
    const caller = { tenantId, actor } as unknown as Authenticated
    recorder.record(caller, operation, { status, ...(ms !== undefined && { ms }), isAdmitted })
  }
  return { recorder, record, state, written, usage, used }
}

interface Sent {
  key: string
  isAdmitted: boolean
}

it('adds up the outcomes and the times of a tenant, and counts requests without a time or a response', async () => {
  const { recorder, record, written } = newRecorder('2026-03-10T12:00:00.000Z')
  record(a, 200, 1.5)
  record(a, 201, 1.5)
  record(a, 304, 7)
  record(a, 404, 0.5)
  record(a, 503, 0.5)
  record(a, 200)
  record(a, 0)
  record(b, 200, 3)
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
  const { recorder, record, state, written } = newRecorder('2026-12-31T23:59:59.999Z')
  record(a, 200, 1)
  state.nowMs += 1
  record(a, 200, 1)
  record(a, 200, 1)
  await recorder.flush()
  expect(written.map(({ month, requests }) => [month, requests])).toEqual([
    ['2026-12', 1],
    ['2027-01', 2],
  ])
})

it('writes increments that the storage refused with those that follow, each once', async () => {
  const { recorder, record, state, written } = newRecorder('2026-03-10T12:00:00.000Z')
  state.isFailing = true
  for (let flush = 0; flush < 3; flush++) {
    record(a, 200, 2)
    await recorder.flush()
  }
  state.isFailing = false
  record(a, 500, 2)
  await recorder.stop()
  await recorder.flush()
  const total = { requests: 4, successful: 3, failed: 1, timed: 4, totalMs: 8, buckets: { [bucketOf(2)]: 4 } }
  expect(written).toEqual([{ tenantId: a, month: '2026-03', ...total }])
})

it('counts the requests of each key for the key and for its tenant, and notes the last admitted use', async () => {
  const { recorder, record, state, usage, used } = newRecorder('2026-03-10T12:00:00.000Z')
  const { method, path } = operation
  record(a, 201, 1, { key: 'key_1' })
  state.nowMs += 5
  record(a, 201, 1, { key: 'key_1' })
  record(a, 429, 1, { key: 'key_2', isAdmitted: false })
  record(a, 201, 1)
  await recorder.flush()
  const of = (apiKeyId: string | null, requests: number) => {
    return { tenantId: a, month: '2026-03', apiKeyId, method, path, requests }
  }
  expect(usage).toEqual([of('key_1', 2), of('key_2', 1), of(null, 4)])
  expect(used).toEqual([{ tenantId: a, id: 'key_1', atMs: state.nowMs }])
})
