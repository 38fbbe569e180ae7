import { equals, type Filter, trusted } from './filters.ts'
import type { Across, Database, RowPlace, StoredRow } from './scope.ts'

/** Rows that are read from the front before the search turns to one queue per webhook. */
const frontMax = 256

export interface DueAttempt extends RowPlace {
  webhookId: string
  queue: string
  dueAt: string
}

interface DueQuery {
  /** Undefined: whenever it is due. */
  until: string | undefined
  limit: number
  busyWebhookIds: readonly string[]
}

function toDue({ tenantId, id, keys }: StoredRow): DueAttempt {
  const { webhookId, queue, dueAt } = keys as { webhookId: string; queue: string; dueAt: string }
  return { tenantId, id, webhookId, queue, dueAt }
}

function isBefore(a: DueAttempt, b: DueAttempt): number {
  if (a.dueAt !== b.dueAt) return a.dueAt < b.dueAt ? -1 : 1
  return a.id < b.id ? -1 : 1
}

type Readiness = (attempts: readonly DueAttempt[]) => Promise<DueAttempt[]>

/** Leaves the attempts that may be made now: their webhook exists, is active and not busy. Each is asked for once. */
function createReadiness(across: Across, busyWebhookIds: readonly string[]): Readiness {
  const busy = new Set(busyWebhookIds)
  const known = new Map<string, boolean>()
  return async (attempts) => {
    const free = attempts.filter(({ webhookId }) => !busy.has(webhookId))
    const unknown = new Map(
      free.filter(({ queue }) => !known.has(queue)).map((attempt) => [attempt.queue, attempt]),
    )
    const places = [...unknown.values()].map(({ tenantId, webhookId }) => ({ tenantId, id: webhookId }))
    const webhooks = await across.findPlaces('webhooks', places)
    const active = new Set(
      webhooks
        .filter(({ row }) => row['isActive'] === true)
        .map(({ tenantId, id }) => JSON.stringify([tenantId, id])),
    )
    for (const queue of unknown.keys()) known.set(queue, active.has(queue))
    return free.filter(({ queue }) => known.get(queue) === true)
  }
}

const order = { 'keys.dueAt': 1, _id: 1 } as const

function untilFilter(until: string | undefined): Filter {
  return until === undefined ? {} : { 'keys.dueAt': trusted({ $lte: until }) }
}

/** The first of every queue: one step of the index each, however many attempts wait in it. */
async function readQueueHeads(across: Across, until: string | undefined): Promise<DueAttempt[]> {
  const heads = await across.pipe<StoredRow>('dueAttempts', [
    { $sort: { 'keys.queue': 1, 'keys.dueAt': 1, _id: 1 } },
    {
      $group: {
        _id: '$keys.queue',
        tenantId: { $first: '$tenantId' },
        id: { $first: '$id' },
        keys: { $first: '$keys' },
      },
    },
    { $match: untilFilter(until) },
  ])
  return heads.map(toDue).sort(isBefore)
}

async function findPerQueue(
  across: Across,
  { until, limit }: DueQuery,
  leaveReady: Readiness,
): Promise<DueAttempt[]> {
  const heads = await leaveReady(await readQueueHeads(across, until))
  if (limit === 1) return heads.slice(0, 1)
  let found: DueAttempt[] = []
  for (const { queue, dueAt } of heads) {
    const last = found[limit - 1]
    // The heads are in order: no later queue holds an older attempt.
    if (last && last.dueAt <= dueAt) break
    const filter = { ...equals('keys.queue', queue)[0], ...untilFilter(until) }
    const rows = await across.find('dueAttempts', filter, { sort: order, limit })
    found = [...found, ...rows.map(toDue)].sort(isBefore).slice(0, limit)
  }
  return found
}

/** Pending attempts that may be made, oldest first. */
export async function findDueAttempts(database: Database, query: DueQuery): Promise<DueAttempt[]> {
  const { until, limit, busyWebhookIds } = query
  const across = database.across()
  const leaveReady = createReadiness(across, busyWebhookIds)
  const readMax = limit + frontMax
  const front = await across.find('dueAttempts', untilFilter(until), { sort: order, limit: readMax })
  const ready = await leaveReady(front.map(toDue))
  if (ready.length >= limit || front.length < readMax) return ready.slice(0, limit)
  return findPerQueue(across, query, leaveReady)
}
