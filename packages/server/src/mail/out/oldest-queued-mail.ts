import type { SystemStore } from '../../ports/system-store.ts'

/** So many inboxes are looked at: more would make a scrape of the metrics slow. */
const inboxesMax = 100
const doorsMax = 1_000

/** Returns when the mail that waits longest in its inbox was due, of the inboxes that do not rest, and of tenants that are not suspended. */
export async function oldestQueuedMail(
  system: Pick<SystemStore, 'across' | 'findTenant'>,
  now: string,
): Promise<string | null> {
  const failing = await system.across.failingDoors.due(now, doorsMax)
  const resting = new Set(failing.flatMap(({ row: { door, inboxId } }) => (door === 'rest' ? [inboxId] : [])))
  let oldest: string | null = null
  let after = ''
  for (let read = 0; read < inboxesMax; read++) {
    const found = await system.across.dueMailSends.first(after)
    if (found === undefined) break
    const { queuedInboxId, dueAt } = found.columns
    after = queuedInboxId
    if ((oldest !== null && oldest <= dueAt) || resting.has(queuedInboxId)) continue
    const tenant = await system.findTenant(found.tenantId)
    if (tenant?.isSuspended === false) oldest = dueAt
  }
  return oldest
}
