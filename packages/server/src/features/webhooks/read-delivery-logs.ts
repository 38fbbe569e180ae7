import {
  type getDeliveryLog,
  type LoggedDelivery,
  type listDeliveryLogs,
  notFound,
  type Permission,
  visibleEventTypes,
} from '@crmkit/core'
import { shownHeaders } from '../../delivery/webhooks/attempt-delivery.ts'
import { openWebhook } from '../../delivery/webhooks/seal-webhook.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { pageTotals } from '../../shared/reply-page.ts'
import type { AttemptRecord } from '../../storage/kinds/attempts.ts'
import { isErasedBody } from '../../storage/rules/erased.ts'
import type { Handler } from '../handler.ts'

export const handleGetDeliveryLog: Handler<typeof getDeliveryLog> = async (
  { store, actor, services: { secrets, version } },
  { params },
) => {
  const attempt = await getAttempt(store, params)
  const webhook = await store.webhooks.find(params.id)
  if (webhook === undefined) throw notFound()
  const { event: type, eventId, deliveryId, attempt: number } = attempt
  const sent = { event: { _id: eventId, type }, deliveryId, attempt: number }
  const { headers: own } = openWebhook(secrets, webhook)
  const request: LoggedDelivery['request'] =
    attempt.status === 'pending'
      ? null
      : { method: 'POST', url: webhook.url, headers: shownHeaders(sent, { own, version }) }
  return {
    reply: {
      success: true,
      data: { ...shownAttempt(attempt, webhook), request, body: await bodyOf(store, attempt, actor) },
    },
  }
}

/** Returns the body of the event for a caller who may read it: the right to manage webhooks alone shows no customer. */
async function bodyOf(
  store: Pick<TenantReads, 'events'>,
  { eventId }: AttemptRecord,
  { permissions }: { permissions: readonly Permission[] },
): Promise<LoggedDelivery['body']> {
  const event = await store.events.find(eventId)
  if (event === undefined || !visibleEventTypes(permissions).some((type) => type === event.type)) return null
  return isErasedBody(event.body) ? { erased: true } : JSON.parse(event.body)
}

/** Returns the attempt with this id. Throws NOT_FOUND when it is not one of this webhook. */
export async function getAttempt(
  store: Pick<TenantReads, 'attempts'>,
  { id, logId }: { id: string; logId: string },
): Promise<AttemptRecord> {
  const attempt = await store.attempts.find(logId)
  if (attempt?.webhookId !== id) throw notFound()
  return attempt
}

export const handleListDeliveryLogs: Handler<typeof listDeliveryLogs> = async (
  { store },
  { params: { id }, query },
) => {
  // The page comes first: an invalid cursor is reported before an unknown webhook.
  const page = await store.attempts.list({ webhookId: id, ...query })
  const webhook = await store.webhooks.find(id)
  if (webhook === undefined) throw notFound()
  const logs = page.rows.map((attempt) => shownAttempt(attempt, webhook))
  return { reply: { success: true, data: { logs, ...pageTotals(page, query) } } }
}

/** The attempts of an inactive webhook wait for nobody knows how long: their planned time would pass, and nothing would be sent. */
function shownAttempt(attempt: AttemptRecord, { isActive }: { isActive: boolean }): AttemptRecord {
  return isActive ? attempt : { ...attempt, nextAttemptAt: null }
}
