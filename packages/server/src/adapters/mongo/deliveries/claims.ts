import { randomUUID } from 'node:crypto'
import type { SystemStore } from '../../../ports/storage.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { EventRecord } from '../../../storage/kinds/events.ts'
import type { WebhookRecord } from '../../../storage/kinds/webhooks.ts'
import type { AttemptResult, ClaimedAttempt, ClaimedQueue, TenantId } from '../../../storage/records.ts'
import { attemptOutcome, followingAttempt } from '../../../storage/rules/attempts.ts'
import type { CollectionName } from '../connection/collections.ts'
import { trusted } from '../connection/filters.ts'
import type { Across, Database, RowPlace } from '../connection/scope.ts'
import { inTransaction, untilAnswered } from '../connection/transaction.ts'
import { tenantsWithErasures, withoutErased } from '../erasure/erasures.ts'
import { decodeRow, encodeRow } from '../rows/encode-row.ts'
import { insertAttempts } from './attempt-rows.ts'
import { type DueAttempt, findDue, listDeliveryQueues, nextOf } from './delivery-queues.ts'
import { countResults } from './webhook-counts.ts'

type Claim = Parameters<SystemStore['claimDueAttempts']>[0]

function placeKey({ tenantId, id }: RowPlace): string {
  return JSON.stringify([tenantId, id])
}

async function readPlaces<T>(
  across: Across,
  name: CollectionName,
  places: readonly RowPlace[],
): Promise<Map<string, T>> {
  const distinct = new Map(places.map((place) => [placeKey(place), place]))
  const rows = await across.findPlaces(name, [...distinct.values()])
  return new Map(rows.map((row) => [placeKey(row), decodeRow<T>(row.row)]))
}

/** Leases what is still due of `wanted`; rivals that were quicker keep theirs. Answers the keys of what was won. */
async function lease(across: Across, wanted: readonly DueAttempt[], claim: Claim): Promise<Set<string>> {
  if (wanted.length === 0) return new Set()
  const { now, leaseMs, lockToken } = claim
  // Tells this lease from every other one; a caller may use its token again.
  const mark = randomUUID()
  const dueAt = new Date(Date.parse(now) + leaseMs).toISOString()
  const leaseThem = () =>
    across.updatePlaces('dueAttempts', wanted, {
      where: { 'keys.dueAt': trusted({ $lte: now }) },
      update: { $set: { 'keys.dueAt': dueAt, 'keys.lockToken': lockToken, 'keys.claim': mark } },
    })
  // A primary may go between the lease and its answer. Asked again, the mark still tells what was won before;
  // unasked, nobody would make these attempts until the lease runs out.
  const rows = await untilAnswered(async () => {
    await leaseThem()
    return across.find('dueAttempts', { 'keys.claim': mark }, { fields: ['tenantId', 'id'] })
  }, leaseMs / 3)
  return new Set(rows.map(placeKey))
}

/** Of what was erased and not removed yet a receiver learns no more than any other reader. */
async function seenEvents(
  database: Database,
  events: Map<string, EventRecord>,
): Promise<Map<string, EventRecord>> {
  const ofTenants = Map.groupBy(events.values(), ({ tenantId }) => tenantId)
  const erasing = await tenantsWithErasures(database, [...ofTenants.keys()])
  const seen = new Map(events)
  for (const tenantId of erasing) {
    const found = await withoutErased(database.tenant(tenantId), ofTenants.get(tenantId) ?? [])
    for (const event of found) seen.set(placeKey({ tenantId, id: event._id }), event)
  }
  return seen
}

async function completeAll(
  database: Database,
  leased: readonly DueAttempt[],
  lockToken: string,
): Promise<Map<string, ClaimedAttempt>> {
  const across = database.across()
  const attempts = await readPlaces<AttemptRecord>(across, 'attempts', leased)
  const events = await readPlaces<EventRecord>(
    across,
    'events',
    [...attempts.values()].map(({ tenantId, eventId }) => ({ tenantId, id: eventId })),
  )
  const seen = await seenEvents(database, events)
  const webhooks = await readPlaces<WebhookRecord>(
    across,
    'webhooks',
    leased.map(({ tenantId, webhookId }) => ({ tenantId, id: webhookId })),
  )
  const complete = new Map<string, ClaimedAttempt>()
  for (const { tenantId, id, webhookId } of leased) {
    const attempt = attempts.get(placeKey({ tenantId, id }))
    const webhook = webhooks.get(placeKey({ tenantId, id: webhookId }))
    const event = attempt && seen.get(placeKey({ tenantId, id: attempt.eventId }))
    // It may have been switched off since its delivery queues were looked at.
    if (!attempt || !webhook?.isActive || !event) continue
    const claimed = { tenantId: tenantId as TenantId, attempt, webhook, event, lockToken }
    complete.set(placeKey({ tenantId, id }), claimed)
  }
  return complete
}

async function claimDeliveryQueues(database: Database, claim: Claim): Promise<ClaimedQueue[]> {
  const { deliveryQueues, now, lockToken } = claim
  const across = database.across()
  const due = await findDue(across, deliveryQueues, now)
  const won = await lease(
    across,
    due.flatMap((found) => found ?? []),
    claim,
  )
  const leased = due.map((found) => found?.filter((attempt) => won.has(placeKey(attempt))) ?? [])
  const complete = await completeAll(database, leased.flat(), lockToken)
  return Promise.all(
    deliveryQueues.map(async (deliveryQueue, index) => {
      const [found, mine] = [due[index], leased[index] ?? []]
      if (found === undefined) return { claims: [], nextAt: null }
      // Behind a full claim there may be more; what rivals took may leave more due as well.
      const isMoreLikely = found.length >= deliveryQueue.limit || mine.length < found.length
      const claims = mine.flatMap((attempt) => complete.get(placeKey(attempt)) ?? [])
      return { claims, nextAt: isMoreLikely ? now : await nextOf(across, deliveryQueue) }
    }),
  )
}

const stillPending = { 'row.status': 'pending' }

/** Results whose lock still holds. Taking the due row away is what decides between rivals. */
async function takeDue(across: Across, results: readonly AttemptResult[]): Promise<AttemptResult[]> {
  const places = results.map(({ tenantId, attemptId }) => ({ tenantId, id: attemptId }))
  const due = await across.findPlaces('dueAttempts', places)
  const tokens = new Map(due.map((row) => [placeKey(row), row.keys?.['lockToken']]))
  const held = results.filter(({ tenantId, attemptId, lockToken }) => {
    const key = placeKey({ tenantId, id: attemptId })
    return tokens.get(key) === lockToken && tokens.delete(key)
  })
  await across.removePlaces(
    'dueAttempts',
    held.map(({ tenantId, attemptId }) => ({ tenantId, id: attemptId })),
  )
  return held
}

function writeResults(database: Database, results: readonly AttemptResult[]): Promise<AttemptResult[]> {
  return inTransaction(database, async (session) => {
    const across = database.across(session)
    const held = await takeDue(across, results)
    const attempts = await readPlaces<AttemptRecord>(
      across,
      'attempts',
      held.map(({ tenantId, attemptId }) => ({ tenantId, id: attemptId })),
    )
    const written: AttemptResult[] = []
    for (const result of held) {
      const { tenantId, attemptId } = result
      const before = attempts.get(placeKey({ tenantId, id: attemptId }))
      if (before?.status !== 'pending') continue
      const access = database.tenant(tenantId, session)
      const outcome = Object.entries(encodeRow(attemptOutcome(result)))
      const $set = Object.fromEntries(outcome.map(([field, value]) => [`row.${field}`, value]))
      await access.update('attempts', { ...access.one(attemptId), ...stillPending }, { $set })
      const next = followingAttempt(before, result)
      if (next) await insertAttempts(access, [next])
      written.push(result)
      passFaultPoint('during-result-commit')
    }
    return written
  })
}

async function finishAttempts(database: Database, results: readonly AttemptResult[]): Promise<number> {
  const written = await writeResults(database, results)
  await countResults(database, written)
  return written.length
}

export function createClaims(database: Database) {
  return {
    deliveryQueues: (query: Parameters<SystemStore['listDeliveryQueues']>[0]) =>
      listDeliveryQueues(database.across(), query),
    claim: (claim: Claim) => claimDeliveryQueues(database, claim),
    finish: async (results: readonly AttemptResult[]) =>
      results.length === 0 ? 0 : finishAttempts(database, results),
  }
}
