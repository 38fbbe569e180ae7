import type { SystemStore } from '../../../ports/storage.ts'
import type { ClaimedLane, DeliveryLane, PlannedLane } from '../../../storage/records.ts'
import { type Filter, trusted } from '../connection/filters.ts'
import type { Across, RowPlace, StoredRow } from '../connection/scope.ts'
import { laneKeyOf, laneOf, lanesOfTenant } from './attempt-rows.ts'

type Query = Parameters<SystemStore['listDeliveryLanes']>[0]

export interface DueAttempt extends RowPlace {
  webhookId: string
}

const order = { 'keys.lane': 1, 'keys.dueAt': 1, _id: 1 } as const

function placeKey({ tenantId, id }: RowPlace): string {
  return JSON.stringify([tenantId, id])
}

function placeOfWebhook({ tenantId, webhookId }: Pick<DeliveryLane, 'tenantId' | 'webhookId'>): RowPlace {
  return { tenantId, id: webhookId }
}

interface Head {
  _id: string
  dueAt: string
}

/** The first of each lane: one step of the index, however many attempts wait in it. */
function readHeads(across: Across, { tenantId, after, limit }: Query): Promise<Head[]> {
  const bounds: Filter = tenantId === undefined ? {} : lanesOfTenant(tenantId)
  const isLater = after ? [{ 'keys.lane': trusted({ $gt: after }) }] : []
  return across.pipe<Head>('dueAttempts', [
    { $match: { $and: [bounds, ...isLater] } },
    { $sort: order },
    { $group: { _id: '$keys.lane', dueAt: { $first: '$keys.dueAt' } } },
    { $sort: { _id: 1 } },
    { $limit: limit },
  ])
}

/** The URLs of these lanes' webhooks, without those that are inactive or gone. */
async function readActiveUrls(across: Across, lanes: readonly DeliveryLane[]): Promise<Map<string, string>> {
  const places = new Map(lanes.map((lane) => [placeKey(placeOfWebhook(lane)), placeOfWebhook(lane)]))
  const webhooks = await across.findPlaces('webhooks', [...places.values()])
  const active = webhooks.filter(({ row }) => row['isActive'] === true)
  return new Map(active.map((webhook) => [placeKey(webhook), String(webhook.row['url'])]))
}

export async function listLanes(across: Across, query: Query) {
  const heads = await readHeads(across, query)
  const lanes = heads.map(({ _id }) => laneOf(_id))
  const urls = await readActiveUrls(across, lanes)
  const planned = lanes.flatMap((lane, index): PlannedLane[] => {
    const url = urls.get(placeKey(placeOfWebhook(lane)))
    return url === undefined ? [] : [{ ...lane, url, nextAt: heads[index]?.dueAt ?? '' }]
  })
  return { lanes: planned, next: heads.length < query.limit ? null : (heads.at(-1)?._id ?? null) }
}

type Asked = DeliveryLane & { limit: number }

function toDue({ tenantId, id, keys }: StoredRow): DueAttempt {
  return { tenantId, id, webhookId: String(keys?.['webhookId']) }
}

/** What is due of each lane, lane by lane; undefined for inactive webhooks. */
export async function findDue(
  across: Across,
  lanes: readonly Asked[],
  now: string,
): Promise<(DueAttempt[] | undefined)[]> {
  const active = await readActiveUrls(across, lanes)
  return Promise.all(
    lanes.map(async (lane) => {
      if (!active.has(placeKey(placeOfWebhook(lane)))) return undefined
      const filter = { 'keys.lane': laneKeyOf(lane), 'keys.dueAt': trusted({ $lte: now }) }
      const rows = await across.find('dueAttempts', filter, { sort: order, limit: lane.limit })
      return rows.map(toDue)
    }),
  )
}

/** When the earliest attempt that is left in a lane is due or its lease ends. */
export async function nextOf(across: Across, lane: DeliveryLane): Promise<ClaimedLane['nextAt']> {
  const rows = await across.find('dueAttempts', { 'keys.lane': laneKeyOf(lane) }, { sort: order, limit: 1 })
  return (rows[0]?.keys?.['dueAt'] as string | undefined) ?? null
}
