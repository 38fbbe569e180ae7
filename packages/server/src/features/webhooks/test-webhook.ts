import { type EventBody, maskedHeaders, notFound, type testWebhook } from '@crmkit/core'
import {
  type AttemptOutcome,
  attemptDelivery,
  type Delivery,
} from '../../delivery/webhooks/attempt-delivery.ts'
import { openWebhook } from '../../delivery/webhooks/seal-webhook.ts'
import { isoTime, systemClock } from '../../shared/clock.ts'
import type { AttemptRecord } from '../../storage/kinds/attempts.ts'
import type { Handler } from '../handler.ts'

const eventType = 'webhook.test'

/** Sends and records the attempt by itself, because the reply is the attempt's result; there is no change to commit. */
export const handleTestWebhook: Handler<typeof testWebhook> = async (
  { store, ids, now, services },
  { params },
) => {
  const row = await store.webhooks.find(params.id)
  if (row === undefined) throw notFound()
  const eventId = ids.next('evt')
  const body: EventBody = {
    id: eventId,
    event: eventType,
    timestamp: now,
    data: { webhookId: row._id, name: row.name, message: 'This is a test event' },
  }
  const event = { _id: eventId, type: eventType, body: JSON.stringify(body) }
  const delivery: Delivery = { webhook: row, event, deliveryId: ids.next('dlv'), attempt: 1 }
  const outcome = await attemptDelivery({ ...services, clock: systemClock }, delivery)
  const log = testLog(delivery, outcome, { _id: ids.next('log'), createdAt: now })
  await store.attempts.record(log)
  const own = openWebhook(services.secrets, row).headers
  const headers = { ...outcome.headers, ...maskedHeaders(own) }
  return {
    reply: {
      success: true,
      message: 'Test event sent',
      data: { ...log, request: { method: 'POST', url: row.url, headers } },
    },
  }
}

function testLog(
  { webhook, event, deliveryId }: Delivery,
  outcome: AttemptOutcome,
  row: { _id: string; createdAt: string },
): AttemptRecord {
  const { result, endedMs } = outcome
  return {
    ...row,
    tenantId: webhook.tenantId,
    webhookId: webhook._id,
    event: event.type,
    eventId: event._id,
    deliveryId,
    attempt: 1,
    status: result.errorCode === null ? 'success' : 'failed',
    deliveredAt: isoTime(endedMs),
    responseTime: result.timings.total,
    nextAttemptAt: null,
    statusCode: result.statusCode,
    error: result.error,
    errorCode: result.errorCode,
    timings: result.timings,
    remoteAddress: result.remoteAddress,
  }
}
