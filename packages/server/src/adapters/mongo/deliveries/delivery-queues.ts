import type { DeliveryQueueQuery } from '../../../ports/system-store.ts'
import type { ClaimedQueue, DeliveryQueue, PlannedQueue } from '../../../storage/records.ts'
import { type Across, type RowRef, refKey } from '../connection/access.ts'
import { type Filter, trusted } from '../connection/filters.ts'
import { deliveryQueueKeyOf, deliveryQueueOf, deliveryQueuesOfTenant } from './attempt-rows.ts'

export interface DueAttempt extends RowRef {
  webhookId: string
}

const order = { 'keys.deliveryQueue': 1, 'keys.dueAt': 1, _id: 1 } as const

function webhookRef({ tenantId, webhookId }: Pick<DeliveryQueue, 'tenantId' | 'webhookId'>): RowRef {
  return { tenantId, id: webhookId }
}

interface Head {
  _id: string
  dueAt: string
}

/** Reads the first attempt of each delivery queue, one index lookup for each, however many attempts wait in it. */
function readHeads(across: Across, { tenantId, after, limit }: DeliveryQueueQuery): Promise<Head[]> {
  const bounds: Filter = tenantId === undefined ? {} : deliveryQueuesOfTenant(tenantId)
  const isLater = after ? [{ 'keys.deliveryQueue': trusted({ $gt: after }) }] : []
  return across.pipe<Head>('dueAttempts', [
    { $match: { $and: [bounds, ...isLater] } },
    { $sort: order },
    { $group: { _id: '$keys.deliveryQueue', dueAt: { $first: '$keys.dueAt' } } },
    { $sort: { _id: 1 } },
    { $limit: limit },
  ])
}

/** Returns the subset of these tenants that is suspended. */
async function suspendedAmong(across: Across, tenantIds: Iterable<string>): Promise<Set<string>> {
  const refs = [...new Set(tenantIds)].map((tenantId) => ({ tenantId, id: tenantId }))
  const found =
    refs.length === 0 ? [] : await across.findByRefs('tenants', refs, ['tenantId', 'row.isSuspended'])
  return new Set(found.flatMap(({ tenantId, row }) => (row['isSuspended'] === true ? [tenantId] : [])))
}

/** Returns the URLs of the delivery queues' webhooks, without inactive and deleted ones and those of suspended tenants. */
async function readActiveUrls(
  across: Across,
  deliveryQueues: readonly DeliveryQueue[],
): Promise<Map<string, string>> {
  const refs = new Map(
    deliveryQueues.map((deliveryQueue) => [refKey(webhookRef(deliveryQueue)), webhookRef(deliveryQueue)]),
  )
  const [webhooks, suspended] = await Promise.all([
    across.findByRefs('webhooks', [...refs.values()], ['tenantId', 'id', 'row.isActive', 'row.url']),
    suspendedAmong(
      across,
      deliveryQueues.map(({ tenantId }) => tenantId),
    ),
  ])
  const active = webhooks.filter(({ tenantId, row }) => row['isActive'] === true && !suspended.has(tenantId))
  return new Map(active.map((webhook) => [refKey(webhook), String(webhook.row['url'])]))
}

/** Due attempts that an earlier version wrote carry the key of their queue under another name, or none. */
const queueOfEarlierVersion = {
  $ifNull: ['$keys.lane', { $concat: ['["', '$tenantId', '","', '$keys.webhookId', '",true]'] }],
}

/** Gives due attempts without the key of their queue one. They sort first, so the first page shows whether there are any. */
async function nameQueues(across: Across): Promise<void> {
  await across.update('dueAttempts', { 'keys.deliveryQueue': null }, [
    { $set: { 'keys.deliveryQueue': queueOfEarlierVersion } },
    { $unset: 'keys.lane' },
  ])
}

async function readNamedHeads(across: Across, query: DeliveryQueueQuery): Promise<Head[]> {
  const heads = await readHeads(across, query)
  if (!heads.some(({ _id }) => _id === null)) return heads
  await nameQueues(across)
  return readHeads(across, query)
}

export async function listDeliveryQueues(across: Across, query: DeliveryQueueQuery) {
  const heads = await readNamedHeads(across, query)
  const deliveryQueues = heads.map(({ _id }) => deliveryQueueOf(_id))
  const urls = await readActiveUrls(across, deliveryQueues)
  const planned = deliveryQueues.flatMap((deliveryQueue, index): PlannedQueue[] => {
    const url = urls.get(refKey(webhookRef(deliveryQueue)))
    return url === undefined ? [] : [{ ...deliveryQueue, url, nextAt: heads[index]?.dueAt ?? '' }]
  })
  return { deliveryQueues: planned, next: heads.length < query.limit ? null : (heads.at(-1)?._id ?? null) }
}

type LimitedQueue = DeliveryQueue & { limit: number }

interface WaitingAttempt extends RowRef {
  keys: { deliveryQueue: string; webhookId: string; dueAt: string }
}

/** Reads the first attempts of each of these delivery queues with one command; `until` leaves later ones out. */
async function readFirst(
  across: Across,
  deliveryQueues: readonly LimitedQueue[],
  until?: string,
): Promise<Map<string, WaitingAttempt[]>> {
  const isDue = until === undefined ? {} : { 'keys.dueAt': { $lte: until } }
  const pipelines = deliveryQueues.map((deliveryQueue) => [
    { $match: { 'keys.deliveryQueue': deliveryQueueKeyOf(deliveryQueue), ...isDue } },
    { $sort: order },
    { $limit: deliveryQueue.limit },
    { $project: { tenantId: 1, id: 1, keys: 1 } },
  ])
  const rows = await across.pipeAll<WaitingAttempt>('dueAttempts', pipelines)
  return Map.groupBy(rows, ({ keys }) => keys.deliveryQueue)
}

/** Returns the due attempts of each delivery queue, in the given order; undefined for inactive webhooks. */
export async function findDue(
  across: Across,
  deliveryQueues: readonly LimitedQueue[],
  now: string,
): Promise<(DueAttempt[] | undefined)[]> {
  const active = await readActiveUrls(across, deliveryQueues)
  const isActive = (deliveryQueue: DeliveryQueue) => active.has(refKey(webhookRef(deliveryQueue)))
  const due = await readFirst(across, deliveryQueues.filter(isActive), now)
  return deliveryQueues.map((deliveryQueue) => {
    if (!isActive(deliveryQueue)) return undefined
    const rows = due.get(deliveryQueueKeyOf(deliveryQueue)) ?? []
    return rows.map(({ tenantId, id, keys }) => ({ tenantId, id, webhookId: keys.webhookId }))
  })
}

/** Returns when the earliest attempt that is left in each delivery queue is due, or its lease ends. */
export async function nextOfEach(
  across: Across,
  deliveryQueues: readonly DeliveryQueue[],
): Promise<ClaimedQueue['nextAt'][]> {
  const first = await readFirst(
    across,
    deliveryQueues.map((deliveryQueue) => ({ ...deliveryQueue, limit: 1 })),
  )
  return deliveryQueues.map(
    (deliveryQueue) => first.get(deliveryQueueKeyOf(deliveryQueue))?.[0]?.keys.dueAt ?? null,
  )
}
