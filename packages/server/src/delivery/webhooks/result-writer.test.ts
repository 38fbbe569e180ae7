import { expect, test } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import type { AttemptResult, TenantId } from '../../storage/records.ts'
import { ResultWriter } from './result-writer.ts'

function resultOf(index: number, nextAttemptAt: string | null = null): AttemptResult {
  return {
    tenantId: 'ten_1' as TenantId,
    webhookId: 'whk_1',
    attemptId: `log_${index}`,
    lockToken: 'a',
    status: nextAttemptAt === null ? 'success' : 'failed',
    statusCode: 200,
    deliveredAt: '2026-11-21T09:30:00.000Z',
    responseTime: 1,
    error: null,
    errorCode: null,
    timings: null,
    remoteAddress: null,
    next: nextAttemptAt === null ? null : { _id: 'log_next', nextAttemptAt },
  }
}

function open(failures = 0) {
  const groups: AttemptResult[][] = []
  const wakes: (number | undefined)[] = []
  let left = failures
  const finishAttempts = async (group: readonly AttemptResult[]) => {
    if (left-- > 0) throw new StorageUnavailable('away')
    groups.push([...group])
    return group.length
  }
  const wake = (atMs?: number) => void wakes.push(atMs)
  return { writer: new ResultWriter({ system: { finishAttempts }, wake, log: silentLog }), groups, wakes }
}

test('results of the same moment are written together, at most 500 at once, in their order', async () => {
  const { writer, groups } = open()
  for (let i = 0; i < 1200; i++) writer.add(resultOf(i))
  await writer.drain()
  expect(groups.map((group) => group.length)).toEqual([500, 500, 200])
  expect(groups.flat().map(({ attemptId }) => attemptId)).toEqual(
    Array.from({ length: 1200 }, (_, i) => `log_${i}`),
  )
})

test('a storage that is unavailable for a moment loses no result', async () => {
  const { writer, groups } = open(2)
  writer.add(resultOf(1))
  await writer.drain()
  expect(groups.flat()).toHaveLength(1)
})

// Once a drain without results left the writer busy permanently: every later attempt was sent and never logged.
test('continues writing after a drain that found nothing', async () => {
  const { writer, groups } = open()
  await writer.drain()
  writer.add(resultOf(1))
  await writer.drain()
  await writer.drain()
  writer.add(resultOf(2))
  await writer.drain()
  expect(groups.flat()).toHaveLength(2)
})

test('the job is woken for the earliest planned retry once the retry is written', async () => {
  const { writer, wakes } = open()
  writer.add(resultOf(1, '2026-11-21T09:30:04.000Z'))
  writer.add(resultOf(2, '2026-11-21T09:30:02.000Z'))
  writer.add(resultOf(3))
  await writer.drain()
  expect(wakes).toEqual([Date.parse('2026-11-21T09:30:02.000Z')])
})
