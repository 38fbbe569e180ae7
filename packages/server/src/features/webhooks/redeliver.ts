import {
  conflict,
  Failure,
  invalidState,
  notFound,
  type Permission,
  type redeliver,
  visibleEventTypes,
} from '@crmkit/core'
import { repeatedAttempt } from '../../delivery/webhooks/repeated-attempt.ts'
import type { EventRecord } from '../../storage/kinds/events.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'
import { isErasedBody } from '../../storage/rules/erased.ts'
import type { Handler } from '../handler.ts'
import { getAttempt } from './read-delivery-logs.ts'

export const handleRedeliver: Handler<typeof redeliver> = async ({ store, now, actor }, { params }) => {
  const webhook = await store.webhooks.find(params.id)
  if (webhook === undefined) throw notFound()
  const { eventId } = await getAttempt(store, params)
  if (!webhook.isActive) throw invalidState('The webhook is not active', 'disabled', ['active'])
  const event = await store.events.find(eventId)
  if (event === undefined) throw conflict('The event is no longer stored, or it was a test')
  assertMayOpen(webhook, event, actor)
  if (isErasedBody(event.body)) throw conflict('The subject of the event was erased')
  const webhookId = webhook._id
  const [latest] = await store.attempts.listLatest({ webhookId, eventIds: [eventId] })
  if (latest?.status === 'pending') return { reply: { success: true, data: latest } }
  const attempt = repeatedAttempt({ event, webhookId, now, latest })
  return {
    change: { writes: [], events: [], attempts: [attempt] },
    audit: { action: 'webhook.redelivered', target: { type: 'webhook', _id: webhookId } },
    reply: { success: true, data: attempt },
  }
}

/** A new URL may belong to another party: the right to manage webhooks does not allow sending it earlier events. */
function assertMayOpen(
  { urlChangedAt }: WebhookRecord,
  { type, timestamp }: EventRecord,
  { permissions }: { permissions: readonly Permission[] },
): void {
  if (urlChangedAt === undefined || timestamp > urlChangedAt) return
  if (visibleEventTypes(permissions).some((visible) => visible === type)) return
  throw new Failure('PERMISSION_DENIED', 'The event is from before the webhook was given its present URL', {
    extra: { required: 'read:conversations and read:customers', granted: permissions },
  })
}
