import { afterEach, expect, test } from 'vitest'
import { silentLog } from '../../test/support/silent-log.ts'
import { createInProcessQueue } from '../adapters/in-process/in-process-queue.ts'
import type { JobQueue } from '../ports/job-queue.ts'
import { noMeters } from '../ports/meters.ts'
import { systemClock } from '../shared/clock.ts'
import { StorageUnavailable } from '../storage/errors.ts'
import type { BackgroundJob } from './background-job.ts'
import { createScheduler, type ScheduledJob, type Scheduler } from './scheduler.ts'

let scheduler: Scheduler | undefined
afterEach(() => scheduler?.stop())

const idle: BackgroundJob = { runDue: async () => null }

/** A queue that loses every wake-up. */
const deafQueue: JobQueue = { wake() {}, async start() {}, async stop() {}, isHealthy: () => false }

/** The jobs of a service: two that a test gives, and three that have nothing to do. */
function jobsOf(pollEveryMs: number, deliveries: BackgroundJob, snoozes = idle): ScheduledJob[] {
  const jobs = { deliveries, snoozes, attachments: idle, tasks: idle, sweep: idle }
  return Object.entries(jobs).map(([name, job]) => ({ name, job, pollEveryMs }))
}

interface Settings extends Partial<Parameters<typeof createScheduler>[0]> {
  pollEveryMs?: number
}

function open(
  deliveries: BackgroundJob,
  { queue = createInProcessQueue(), pollEveryMs = 3_600_000, ...rest }: Settings = {},
) {
  const jobs = jobsOf(pollEveryMs, deliveries)
  scheduler = createScheduler({ meters: noMeters, jobs, queue, clock: systemClock, log: silentLog, ...rest })
  return { queue, scheduler }
}

/** A job that counts its polls; a test can wait for a number of them. */
function countingJob(resultOf: (poll: number) => number | null | Promise<number | null> = () => null) {
  let polls = 0
  let waiting: { count: number; resolve: () => void }[] = []
  const job: BackgroundJob = {
    runDue: async () => {
      polls += 1
      for (const waiter of waiting) if (polls >= waiter.count) waiter.resolve()
      waiting = waiting.filter((waiter) => polls < waiter.count)
      return resultOf(polls)
    },
  }
  const waitFor = async (count: number) => {
    if (polls < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }))
  }
  return { job, waitFor, polls: () => polls }
}

test('polls a job at the start, without any wake-up', async () => {
  const { job, waitFor } = countingJob()
  await open(job).scheduler.start()
  await waitFor(1)
})

test('polls a job immediately when the queue wakes it', async () => {
  const { job, waitFor } = countingJob()
  const { queue, scheduler } = open(job)
  await scheduler.start()
  await waitFor(1)
  queue.wake('deliveries')
  await waitFor(2)
})

test('polls a job again at the moment that the job returned', async () => {
  const { job, waitFor } = countingJob((poll) => (poll === 1 ? Date.now() + 30 : null))
  const startedAt = performance.now()
  await open(job).scheduler.start()
  await waitFor(2)
  expect(performance.now() - startedAt).toBeGreaterThan(25)
})

test('polls a job at its own period when every wake-up is lost', async () => {
  const { job, waitFor } = countingJob()
  await open(job, { queue: deafQueue, pollEveryMs: 10 }).scheduler.start()
  await waitFor(5)
})

test('never runs one job twice at once, and runs it again when it was woken during the run', async () => {
  const gate = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const { job, waitFor } = countingJob(async () => {
    most = Math.max(most, ++running)
    await gate.promise
    running -= 1
    return null
  })
  const { queue, scheduler } = open(job, { pollEveryMs: 5 })
  await scheduler.start()
  await waitFor(1)
  for (let i = 0; i < 20; i++) queue.wake('deliveries')
  gate.resolve()
  await waitFor(3)
  expect(most).toBe(1)
})

test('logs a job that throws and polls it again, and does not delay the other jobs', async () => {
  const errors: object[] = []
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) }
  const { job, waitFor } = countingJob(() => Promise.reject(new Error('broken')))
  const other = countingJob()
  const jobs = jobsOf(5, job, other.job)
  scheduler = createScheduler({ meters: noMeters, jobs, queue: deafQueue, clock: systemClock, log })
  await scheduler.start()
  await Promise.all([waitFor(3), other.waitFor(3)])
  expect(errors.length).toBeGreaterThanOrEqual(2)
})

test('polls an unreachable storage ever more rarely, and continues when it is back', async () => {
  let nowMs = 1_000_000
  let isAway = true
  const { job, waitFor, polls } = countingJob(() => {
    if (isAway) throw new StorageUnavailable('away')
    return null
  })
  // Each of the five jobs reads the clock once: a round of polls takes a second by this clock.
  const clock = { nowMs: () => (nowMs += 200) }
  const other = countingJob()
  const jobs = jobsOf(1, job, other.job)
  scheduler = createScheduler({ meters: noMeters, jobs, queue: deafQueue, clock, log: silentLog })
  await scheduler.start()
  await other.waitFor(40)
  expect(polls()).toBeLessThan(10)
  isAway = false
  const before = polls()
  await waitFor(before + 5)
})

test('stop waits for running jobs and begins none', async () => {
  const gate = Promise.withResolvers<void>()
  let hasEnded = false
  const { job, waitFor, polls } = countingJob()
  const stopping: BackgroundJob = {
    ...job,
    stop: async () => {
      await gate.promise
      hasEnded = true
    },
  }
  const { queue, scheduler: running } = open(stopping, { pollEveryMs: 5 })
  await running.start()
  await waitFor(1)
  const stopped = running.stop()
  queue.wake('deliveries')
  const before = polls()
  gate.resolve()
  await stopped
  expect(hasEnded).toBe(true)
  expect(polls()).toBe(before)
})

test('stop does not wait longer than its limit for a job that does not end', async () => {
  const stuck: BackgroundJob = { ...idle, stop: () => new Promise(() => undefined) }
  const { scheduler: running } = open(stuck, { stopWaitMs: 20 })
  await running.start()
  await running.stop()
})

test('a clock that is set back while the storage is unavailable does not lengthen the pause', async () => {
  let nowMs = 1_800_000_000_000
  const { job, waitFor } = countingJob(() => {
    throw new StorageUnavailable('away')
  })
  const { scheduler } = open(job, { clock: { nowMs: () => nowMs }, pollEveryMs: 5 })
  await scheduler.start()
  await waitFor(1)
  nowMs -= 86_400_000
  await waitFor(2)
})
