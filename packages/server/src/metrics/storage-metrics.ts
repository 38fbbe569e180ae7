import { doorNames } from '@crmkit/core'
import type { Clock } from '../ports/clock.ts'
import type { JobBacklog } from '../ports/job-backlog.ts'
import type { Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { upgradeSteps } from '../upgrades/steps.ts'
import { type Metric, Reading } from './metric.ts'

/** Counting stops here, so that a backlog of any length costs a scrape a few milliseconds. */
const backlogMax = 10_000
const doorsMax = 1_000
/** A database that takes longer is reported as down: a scrape must end before Prometheus gives up. */
const waitMs = 2_000

interface Parts {
  storage: Pick<Storage, 'system'>
  clock: Clock
  /** The work that waits for each job that has some, by the name of the job. */
  backlogs: ReadonlyMap<string, JobBacklog>
}

/** Measures the work that waits in the database. It is the same for all processes of an installation. */
export async function storageMetrics(parts: Parts): Promise<Metric[]> {
  const up = (value: number) =>
    new Reading({ name: 'crm_storage_up', help: 'Whether the database can be read: 1, or 0.' }, () => value)
  const measured = await within(waitMs, measure(parts)).catch(() => undefined)
  return measured === undefined ? [up(0)] : [up(1), ...measured]
}

async function measure({ storage: { system }, clock, backlogs }: Parts): Promise<Metric[]> {
  const nowMs = clock.nowMs()
  const [backlog, failingDoors, ...oldest] = await Promise.all([
    system.backlog(backlogMax),
    system.across.failingDoors.due(isoTime(nowMs), doorsMax),
    ...[...backlogs].map(
      async ([job, { oldestDue }]) => [job, await oldestDue(system, isoTime(nowMs))] as const,
    ),
  ])
  const oldestDueOf = new Map(oldest)
  const ageOf = (at: string | null) => (at === null ? 0 : Math.max(0, nowMs - Date.parse(at)) / 1000)
  const gauge = (name: string, help: string, value: number) => new Reading({ name, help }, () => value)
  return [
    gauge(
      'crm_deliveries_pending',
      `Attempts that are due or planned; counting stops at ${backlogMax}.`,
      backlog.attempts,
    ),
    gauge(
      'crm_delivery_oldest_due_seconds',
      'How long the oldest due attempt waits, of the first 1000 delivery queues.',
      ageOf(oldestDueOf.get('deliveries') ?? null),
    ),
    new Reading(
      {
        name: 'crm_doors_failing',
        help: `Inboxes and sources that fail for 15 minutes or refuse a sign-in, of the first ${doorsMax}.`,
        labels: ['door'],
      },
      () =>
        doorNames.map(
          (name) => [[name], failingDoors.filter(({ row }) => row.door === name).length] as const,
        ),
    ),
    gauge(
      'crm_mail_resting',
      'Inboxes whose mail rests after too many reports, of the first 1000 doors.',
      failingDoors.filter(({ row }) => row.door === 'rest').length,
    ),
    gauge('crm_tasks_pending', `Unfinished tasks; counting stops at ${backlogMax}.`, backlog.tasks),
    gauge('crm_task_oldest_seconds', 'Age of the oldest unfinished task.', ageOf(backlog.oldestTaskAt)),
    new Reading(
      {
        name: 'crm_rows_to_upgrade',
        help: `Rows that a step of the upgrade still has to look at, of the first ${backlogMax} tenants.`,
        labels: ['step'],
      },
      () => upgradeSteps.map(({ name }) => [[name], backlog.rowsToUpgrade[name] ?? 0] as const),
    ),
    gauge(
      'crm_snooze_overdue_seconds',
      'How long the earliest snooze is overdue.',
      ageOf(oldestDueOf.get('snoozes') ?? null),
    ),
    gauge(
      'crm_events_unsequenced',
      `Events without a position in the log; counting stops at ${backlogMax}.`,
      backlog.unsequencedEvents,
    ),
    gauge(
      'crm_event_sequencing_lag_seconds',
      'Age of the oldest event without a position in the log.',
      ageOf(backlog.oldestUnsequencedAt),
    ),
    new Reading(
      {
        name: 'crm_work_oldest_due_seconds',
        help: 'How long the oldest due work of a background job waits.',
        labels: ['work'],
      },
      () => [...oldestDueOf].map(([job, at]) => [[job], ageOf(at)] as const),
    ),
    new Reading(
      {
        name: 'crm_work_late_after_seconds',
        help: 'So long may due work of a background job wait before something is wrong.',
        labels: ['work'],
      },
      () => [...backlogs].map(([job, { lateAfterMinutes }]) => [[job], lateAfterMinutes * 60] as const),
    ),
  ]
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The database took too long')), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
