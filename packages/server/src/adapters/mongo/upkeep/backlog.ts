import type { Backlog } from '../../../ports/system-store.ts'
import { upgradeTaskPrefix } from '../../../storage/kinds/tasks.ts'
import { rowsToUpgrade } from '../../../storage/rules/upgrades.ts'
import type { Database } from '../connection/access.ts'
import { trusted } from '../connection/filters.ts'
import { countPlanned, withoutPosition } from '../events/event-sequencer.ts'
import { toRecord } from '../tenant-store.ts'

/** Counts waiting work, at most `limit` entries of each. */
export async function measureBacklog(database: Database, limit: number): Promise<Backlog> {
  const across = database.across()
  const unsequenced = { 'keys.isNew': withoutPosition.isNew }
  const isOther = { id: trusted({ $lt: upgradeTaskPrefix }) }
  const isUpgrade = { id: trusted({ $gte: upgradeTaskPrefix }) }
  const [attempts, tasks, withoutPositions, [task], [event], upgrades] = await Promise.all([
    across.count('dueAttempts', {}, limit),
    across.count('tasks', isOther, limit),
    across.count('events', unsequenced, limit),
    across.find('tasks', isOther, { sort: { id: 1, tenantId: 1 }, limit: 1 }),
    across.find('events', unsequenced, { sort: { id: 1 }, limit: 1 }),
    across.find('tasks', isUpgrade, { limit }),
  ])
  // After the count: the events of a plan lose their mark before the log shows them.
  const planned = await countPlanned(database)
  return {
    attempts,
    tasks,
    oldestTaskAt: (task?.row?.['requestedAt'] as string | undefined) ?? null,
    unsequencedEvents: Math.min(limit, Math.max(withoutPositions, planned)),
    oldestUnsequencedAt: (event?.row?.['timestamp'] as string | undefined) ?? null,
    rowsToUpgrade: rowsToUpgrade(upgrades.map((row) => () => toRecord('tasks', row))),
  }
}
