import { setImmediate as nextLoopTick } from 'node:timers/promises'
import {
  invalidState,
  notFound,
  type recoverDeliveries,
  recoveredEventsMax,
  validationFailure,
} from '@crmkit/core'
import { repeatedAttempt } from '../../delivery/webhooks/repeated-attempt.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { readLog } from '../../shared/read-log.ts'
import type { AttemptRecord } from '../../storage/kinds/attempts.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'
import type { LoggedEvent } from '../../storage/records.ts'
import { isErasedBody } from '../../storage/rules/erased.ts'
import { logsKeepMs } from '../../storage/rules/log-retention.ts'
import type { Handler } from '../handler.ts'

/** Events that are looked up without a pause for other requests. */
const batchSize = 200
/** Events are stored in nearly the order of their times; the search continues for so long after `until`. */
const disorderMs = 120_000

export const handleRecoverDeliveries: Handler<typeof recoverDeliveries> = async (
  { store, now },
  { params: { id }, body },
) => {
  const until = body.until ?? now
  assertOrdered(body.since, until)
  await assertPosition(store, body.cursor)
  const webhook = await store.webhooks.find(id)
  if (webhook === undefined) throw notFound()
  // The attempts of an older event may be deleted before the event: its deliveries would then seem to be missing.
  const logsSince = new Date(Date.parse(now) - logsKeepMs).toISOString()
  const range = rangeOf(webhook, { since: body.since, until, logsSince })
  if (!webhook.isActive) throw invalidState('The webhook is not active', 'disabled', ['active'])
  const after = body.cursor ?? (await store.events.positionBefore(range.since))
  const page = { after, types: webhook.events, limit: recoveredEventsMax }
  const events = await readLog(store, page, inCursor)
  const missing = await findMissing(store, { webhookId: id, events: events.filter(isWithin(range)) })
  const attempts = missing.map(({ event, latest }) => repeatedAttempt({ event, webhookId: id, now, latest }))
  const isDryRun = body.dryRun === true
  const data = {
    matched: missing.length,
    created: isDryRun ? 0 : attempts.length,
    nextCursor: nextCursorOf(events, range.until),
  }
  if (data.created === 0) return { reply: { success: true, data } }
  return {
    change: { writes: [], events: [], attempts },
    audit: { action: 'webhook.recovered', target: { type: 'webhook', _id: id } },
    reply: { success: true, data },
  }
}

const inCursor = { field: 'cursor', in: 'body' } as const

/** Throws VALIDATION_ERROR for an invalid position, which is reported before an unknown webhook. */
async function assertPosition(store: TenantReads, cursor: string | null | undefined): Promise<void> {
  if (cursor) await readLog(store, { after: cursor, types: [], limit: 1 }, inCursor)
}

function assertOrdered(since: string, until: string): void {
  if (until >= since) return
  throw validationFailure([{ field: 'until', message: 'must not be before since', rule: 'min', in: 'body' }])
}

interface Range {
  since: string
  until: string
}

interface AskedRange extends Range {
  /** Logs from before this moment may be deleted. */
  logsSince: string
}

/** Returns the range without events from before the webhook, its present choice of events, or the oldest logs. */
function rangeOf(
  { createdAt, eventsChangedAt = createdAt }: WebhookRecord,
  { since, until, logsSince }: AskedRange,
): Range {
  const [latest = since] = [since, eventsChangedAt, logsSince].sort().reverse()
  return { since: latest, until }
}

function isWithin({ since, until }: Range): (event: LoggedEvent) => boolean {
  return ({ timestamp, body }) => timestamp >= since && timestamp <= until && !isErasedBody(body)
}

function nextCursorOf(events: readonly LoggedEvent[], until: string): string | null {
  const last = events.at(-1)
  if (last === undefined || events.length < recoveredEventsMax) return null
  return Date.parse(last.timestamp) > Date.parse(until) + disorderMs ? null : last.position
}

interface Missing {
  event: LoggedEvent
  latest: AttemptRecord | undefined
}

/** Returns the events that have no delivery, or one that has failed permanently. */
async function findMissing(
  store: Pick<TenantReads, 'attempts'>,
  { webhookId, events }: { webhookId: string; events: readonly LoggedEvent[] },
): Promise<Missing[]> {
  const missing: Missing[] = []
  for (let start = 0; start < events.length; start += batchSize) {
    const batch = events.slice(start, start + batchSize)
    const eventIds = batch.map(({ _id }) => _id)
    const attempts = await store.attempts.listLatest({ webhookId, eventIds })
    const latest = new Map(attempts.map((attempt) => [attempt.eventId, attempt]))
    for (const event of batch) {
      const attempt = latest.get(event._id)
      if (attempt === undefined || attempt.status === 'failed') missing.push({ event, latest: attempt })
    }
    await nextLoopTick()
  }
  return missing
}
