import { randomUUID } from 'node:crypto'
import type {
  AttemptRecord,
  AttemptResult,
  ClaimedAttempt,
  EventRecord,
  TenantId,
  WebhookRecord,
} from '../../ports/records.ts'
import type { SystemStore } from '../../ports/storage.ts'
import { attemptOutcome, followingAttempt } from '../../ports/storage-rules/attempts.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { insertAttempts } from './attempt-rows.ts'
import type { CollectionName } from './collections.ts'
import { type DueAttempt, findDueAttempts } from './due-attempts.ts'
import { decodeRow, encodeRow } from './encode-row.ts'
import { trusted } from './filters.ts'
import type { Across, Database, RowPlace } from './scope.ts'
import { inTransaction } from './transaction.ts'

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

/** Leases what is still due of `wanted`; rivals that were quicker keep theirs. Keeps the order. */
async function lease(across: Across, wanted: readonly DueAttempt[], claim: Claim): Promise<DueAttempt[]> {
  const { now, leaseMs, lockToken } = claim
  // Tells this lease from every other one; a caller may use its token again.
  const mark = randomUUID()
  const dueAt = new Date(Date.parse(now) + leaseMs).toISOString()
  const won = await across.updatePlaces('dueAttempts', wanted, {
    where: { 'keys.dueAt': trusted({ $lte: now }) },
    update: { $set: { 'keys.dueAt': dueAt, 'keys.lockToken': lockToken, 'keys.claim': mark } },
  })
  if (won === 0) return []
  const rows = await across.find('dueAttempts', { 'keys.claim': mark }, { fields: ['tenantId', 'id'] })
  const mine = new Set(rows.map(placeKey))
  return wanted.filter((attempt) => mine.has(placeKey(attempt)))
}

async function complete(
  across: Across,
  leased: readonly DueAttempt[],
  lockToken: string,
): Promise<ClaimedAttempt[]> {
  const attempts = await readPlaces<AttemptRecord>(across, 'attempts', leased)
  const events = await readPlaces<EventRecord>(
    across,
    'events',
    [...attempts.values()].map(({ tenantId, eventId }) => ({ tenantId, id: eventId })),
  )
  const webhooks = await readPlaces<WebhookRecord>(
    across,
    'webhooks',
    leased.map(({ tenantId, webhookId }) => ({ tenantId, id: webhookId })),
  )
  return leased.flatMap(({ tenantId, id, webhookId }) => {
    const attempt = attempts.get(placeKey({ tenantId, id }))
    const webhook = webhooks.get(placeKey({ tenantId, id: webhookId }))
    const event = attempt && events.get(placeKey({ tenantId, id: attempt.eventId }))
    if (!attempt || !webhook || !event) return []
    return [{ tenantId: tenantId as TenantId, attempt, webhook, event, lockToken }]
  })
}

async function claimAttempts(database: Database, claim: Claim): Promise<ClaimedAttempt[]> {
  const { now, limit, busyWebhookIds, lockToken } = claim
  const across = database.across()
  const leased: DueAttempt[] = []
  // Rivals may take what was found; what they left behind it is asked for again.
  while (leased.length < limit) {
    const rest = limit - leased.length
    const found = await findDueAttempts(database, { until: now, limit: rest, busyWebhookIds })
    if (found.length === 0) break
    leased.push(...(await lease(across, found, claim)))
  }
  return leased.length === 0 ? [] : complete(across, leased, lockToken)
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

function finishAttempts(database: Database, results: readonly AttemptResult[]): Promise<number> {
  return inTransaction(database, async (session) => {
    const across = database.across(session)
    const held = await takeDue(across, results)
    const attempts = await readPlaces<AttemptRecord>(
      across,
      'attempts',
      held.map(({ tenantId, attemptId }) => ({ tenantId, id: attemptId })),
    )
    let written = 0
    for (const result of held) {
      const { tenantId, attemptId } = result
      const before = attempts.get(placeKey({ tenantId, id: attemptId }))
      if (before?.status !== 'pending') continue
      const reach = database.tenant(tenantId, session)
      const outcome = Object.entries(encodeRow(attemptOutcome(result)))
      const $set = Object.fromEntries(outcome.map(([field, value]) => [`row.${field}`, value]))
      await reach.update('attempts', { ...reach.one(attemptId), ...stillPending }, { $set })
      const next = followingAttempt(before, result)
      if (next) await insertAttempts(reach, [next])
      written += 1
      passFaultPoint('during-result-commit')
    }
    return written
  })
}

export function createClaims(database: Database) {
  return {
    claim: (claim: Claim) => claimAttempts(database, claim),
    finish: async (results: readonly AttemptResult[]) =>
      results.length === 0 ? 0 : finishAttempts(database, results),
    nextAt: async (busyWebhookIds: readonly string[]): Promise<string | null> =>
      (await findDueAttempts(database, { until: undefined, limit: 1, busyWebhookIds }))[0]?.dueAt ?? null,
  }
}
