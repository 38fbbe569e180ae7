import type { Backlog } from '../../../ports/system-store.ts'
import type { Database } from '../connection/access.ts'
import { withoutPosition } from '../events/event-sequencer.ts'

/** Counts waiting work, at most `limit` entries of each. */
export async function measureBacklog(database: Database, limit: number): Promise<Backlog> {
  const across = database.across()
  const unsequenced = { 'keys.isNew': withoutPosition.isNew }
  const [attempts, tasks, unsequencedEvents, [task], [event]] = await Promise.all([
    across.count('dueAttempts', {}, limit),
    across.count('tasks', {}, limit),
    across.count('events', unsequenced, limit),
    across.find('tasks', {}, { sort: { id: 1, tenantId: 1 }, limit: 1 }),
    across.find('events', unsequenced, { sort: { id: 1 }, limit: 1 }),
  ])
  return {
    attempts,
    tasks,
    oldestTaskAt: (task?.row?.['requestedAt'] as string | undefined) ?? null,
    unsequencedEvents,
    oldestUnsequencedAt: (event?.row?.['timestamp'] as string | undefined) ?? null,
  }
}
