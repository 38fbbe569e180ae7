import type { SystemStore } from '../../ports/system-store.ts'

/** So many delivery queues are looked at: more would make a scrape of the metrics slow. */
const queuesMax = 1_000
const queuesPerPage = 250

/** Returns when the attempt at the front of some delivery queue was due, the earliest of all. */
export async function oldestDueAttempt(
  system: Pick<SystemStore, 'listDeliveryQueues'>,
): Promise<string | null> {
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
