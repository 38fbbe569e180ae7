import { afterEach, expect, test } from 'vitest'
import { silentLog } from '../../test/support/silent-log.ts'
import { createInProcessQueue } from '../adapters/in-process/in-process-queue.ts'
import type { JobQueue } from '../ports/job-queue.ts'
import { systemClock } from '../shared/clock.ts'
import { StorageUnavailable } from '../storage/errors.ts'
import { createScheduler, type Scheduler, type Step } from './scheduler.ts'

let scheduler: Scheduler | undefined
afterEach(() => scheduler?.stop())

const idle: Step = { runDue: async () => null }

/** A queue that loses every wake-up. */
const deafQueue: JobQueue = { wake() {}, async start() {}, async stop() {}, isHealthy: () => false }

function open(
  deliveries: Step,
  { queue = createInProcessQueue(), ...rest }: Partial<Parameters<typeof createScheduler>[0]> = {},
) {
  const steps = { deliveries, snoozes: idle, attachments: idle, tasks: idle, sweep: idle }
  scheduler = createScheduler({
    steps,
    queue,
    clock: systemClock,
    log: silentLog,
    sweepEveryMs: 3_600_000,
    ...rest,
  })
  return { queue, scheduler }
}

/** A step that counts its looks and can be waited for. */
function countingStep(answer: (look: number) => number | null | Promise<number | null> = () => null) {
  let looks = 0
  let waiting: { count: number; resolve: () => void }[] = []
  const step: Step = {
    runDue: async () => {
      looks += 1
      for (const waiter of waiting) if (looks >= waiter.count) waiter.resolve()
      waiting = waiting.filter((waiter) => looks < waiter.count)
      return answer(looks)
    },
  }
  const waitFor = async (count: number) => {
    if (looks < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }))
  }
  return { step, waitFor, looks: () => looks }
}

test('looks at the start, without any wake-up', async () => {
  const { step, waitFor } = countingStep()
  await open(step).scheduler.start()
  await waitFor(1)
})

test('looks at once when it is woken', async () => {
  const { step, waitFor } = countingStep()
  const { queue, scheduler } = open(step)
  await scheduler.start()
  await waitFor(1)
  queue.wake('deliveries')
  await waitFor(2)
})

test('looks again at the moment that a step names', async () => {
  const { step, waitFor } = countingStep((look) => (look === 1 ? Date.now() + 30 : null))
  const startedAt = performance.now()
  await open(step).scheduler.start()
  await waitFor(2)
  expect(performance.now() - startedAt).toBeGreaterThan(25)
})

test('the sweep alone is enough when every wake-up is lost', async () => {
  const { step, waitFor } = countingStep()
  await open(step, { queue: deafQueue, sweepEveryMs: 10 }).scheduler.start()
  await waitFor(5)
})

test('never runs one step twice at once, and runs it again when it was asked meanwhile', async () => {
  const gate = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const { step, waitFor } = countingStep(async () => {
    most = Math.max(most, ++running)
    await gate.promise
    running -= 1
    return null
  })
  const { queue, scheduler } = open(step, { sweepEveryMs: 5 })
  await scheduler.start()
  await waitFor(1)
  for (let i = 0; i < 20; i++) queue.wake('deliveries')
  gate.resolve()
  await waitFor(3)
  expect(most).toBe(1)
})

test('a step that throws is logged and looked at again, and holds up no other kind', async () => {
  const errors: object[] = []
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) }
  const { step, waitFor } = countingStep(() => Promise.reject(new Error('broken')))
  const other = countingStep()
  const steps = { deliveries: step, snoozes: other.step, attachments: idle, tasks: idle, sweep: idle }
  scheduler = createScheduler({ steps, queue: deafQueue, clock: systemClock, log, sweepEveryMs: 5 })
  await scheduler.start()
  await Promise.all([waitFor(3), other.waitFor(3)])
  expect(errors.length).toBeGreaterThanOrEqual(2)
})

test('asks an unreachable storage ever more rarely, and goes on when it is back', async () => {
  let nowMs = 1_000_000
  let isAway = true
  const { step, waitFor, looks } = countingStep(() => {
    if (isAway) throw new StorageUnavailable('away')
    return null
  })
  // Each of the five kinds asks once: a sweep takes a second by this clock.
  const clock = { nowMs: () => (nowMs += 200) }
  const other = countingStep()
  const steps = { deliveries: step, snoozes: other.step, attachments: idle, tasks: idle, sweep: idle }
  scheduler = createScheduler({ steps, queue: deafQueue, clock, log: silentLog, sweepEveryMs: 1 })
  await scheduler.start()
  await other.waitFor(40)
  expect(looks()).toBeLessThan(10)
  isAway = false
  const before = looks()
  await waitFor(before + 5)
})

test('stop waits for running work and begins none', async () => {
  const gate = Promise.withResolvers<void>()
  let hasEnded = false
  const { step, waitFor, looks } = countingStep()
  const stopping: Step = {
    ...step,
    stop: async () => {
      await gate.promise
      hasEnded = true
    },
  }
  const { queue, scheduler: running } = open(stopping, { sweepEveryMs: 5 })
  await running.start()
  await waitFor(1)
  const stopped = running.stop()
  queue.wake('deliveries')
  const before = looks()
  gate.resolve()
  await stopped
  expect(hasEnded).toBe(true)
  expect(looks()).toBe(before)
})

test('stop gives up on work that does not end', async () => {
  const stuck: Step = { ...idle, stop: () => new Promise(() => undefined) }
  const { scheduler: running } = open(stuck, { stopWaitMs: 20 })
  await running.start()
  await running.stop()
})

test('a clock that is set back while the storage is away does not lengthen the pause', async () => {
  let nowMs = 1_800_000_000_000
  const { step, waitFor } = countingStep(() => {
    throw new StorageUnavailable('away')
  })
  const { scheduler } = open(step, { clock: { nowMs: () => nowMs }, sweepEveryMs: 5 })
  await scheduler.start()
  await waitFor(1)
  nowMs -= 86_400_000
  await waitFor(2)
})
