import { expect, test } from 'vitest'
import { createCountLabelDays } from './count-label-days.ts'

const nowMs = Date.parse('2026-03-10T00:00:00.000Z')

/** A storage with so many days to count, all of one tenant. */
function newSystem(days: number) {
  const asked: { from: string; before: string }[] = []
  const rests: number[] = []
  let elapsedMs = 0
  const system = {
    countLabelDay: async (of: { from: string; before: string }) => {
      asked.push(of)
      elapsedMs += 100
      return asked.length <= days ? 'ten_1' : null
    },
  }
  const clock = { nowMs: () => nowMs }
  const rest = async (ms: number) => void rests.push(ms)
  return { asked, rests, job: createCountLabelDays({ system, clock, elapsedMs: () => elapsedMs, rest }) }
}

test('counts every day that is over, from the first tenant on, until none is left', async () => {
  const { asked, job } = newSystem(3)
  expect(await job.runDue()).toBeNull()
  const before = '2026-03-10'
  expect(asked).toEqual([
    { from: '', before },
    { from: 'ten_1', before },
    { from: 'ten_1', before },
    { from: 'ten_1', before },
  ])
})

test('rests four times as long as each day took, for the writes of requests', async () => {
  const { rests, job } = newSystem(2)
  await job.runDue()
  expect(rests).toEqual([400, 400])
})

test('a large backlog of days continues at the next poll, and a job that stops begins no further day', async () => {
  const { asked, job } = newSystem(1_000)
  expect(await job.runDue()).toBe(nowMs + 1_000)
  expect(asked.length).toBeLessThan(1_000)
  const counted = asked.length
  await job.stop?.()
  await job.runDue()
  expect(asked).toHaveLength(counted)
})
