import type { Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { upgradeSteps } from '../upgrades/steps.ts'
import { type Metric, Reading } from './metric.ts'

/** Counting stops here, so that a backlog of any length costs a scrape a few milliseconds. */
const backlogMax = 10_000
const queuesMax = 1_000
const queuesPerPage = 250
/** A database that takes longer is reported as down: a scrape must end before Prometheus gives up. */
const waitMs = 2_000

interface Parts {
  storage: Pick<Storage, 'system'>
  clock: Clock
}

/** Measures the work that waits in the database. It is the same for all processes of an installation. */
export async function storageMetrics(parts: Parts): Promise<Metric[]> {
  const up = (value: number) =>
    new Reading({ name: 'crm_storage_up', help: 'Whether the database can be read: 1, or 0.' }, () => value)
  const measured = await within(waitMs, measure(parts)).catch(() => undefined)
  return measured === undefined ? [up(0)] : [up(1), ...measured]
}

async function measure({ storage: { system }, clock }: Parts): Promise<Metric[]> {
  const [backlog, oldestDueAt, snoozeAt] = await Promise.all([
    system.backlog(backlogMax),
    findOldestDue(system),
    system.nextSnoozeAt(),
  ])
  const nowMs = clock.nowMs()
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
      `How long the oldest due attempt waits, of the first ${queuesMax} delivery queues.`,
      ageOf(oldestDueAt),
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
    gauge('crm_snooze_overdue_seconds', 'How long the earliest snooze is overdue.', ageOf(snoozeAt)),
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
  ]
}

/** Returns when the attempt at the front of some delivery queue was due, the earliest of all. */
async function findOldestDue(system: Storage['system']): Promise<string | null> {
  let oldest: string | null = null
  let after: string | null = null
  for (let read = 0; read < queuesMax; read += queuesPerPage) {
    const page: Awaited<ReturnType<typeof system.listDeliveryQueues>> = await system.listDeliveryQueues({
      after,
      limit: queuesPerPage,
    })
    for (const { nextAt } of page.deliveryQueues) if (oldest === null || nextAt < oldest) oldest = nextAt
    after = page.next
    if (after === null) break
  }
  return oldest
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
