import {
  invalidState,
  newWebhookSecret,
  notFound,
  type rotateWebhookSecret,
  secretOverlapSecondsDefault,
} from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { openWebhook, sealWebhook } from './seal-webhook.ts'
import { showWebhook } from './show-webhook.ts'

export const handleRotateWebhookSecret: Handler<typeof rotateWebhookSecret> = async (
  ctx,
  { params: { id }, body },
) => {
  const { store, now, services } = ctx
  const row = await store.webhooks.find(id)
  if (row === undefined) throw notFound()
  const { secret: before, previous, headers } = openWebhook(services.secrets, row)
  const overlapSeconds = body.overlapSeconds ?? secretOverlapSecondsDefault
  // Which of the two its receiver has nobody knows; a leak is still ended at once, without an overlap.
  if (overlapSeconds > 0 && previous !== undefined && previous.validUntil > now) {
    const message = 'The overlap of the last rotation has not ended; overlapSeconds 0 ends it at once'
    throw invalidState(message, 'rotating', ['overlapSeconds: 0'])
  }
  const validUntil = new Date(Date.parse(now) + overlapSeconds * 1000).toISOString()
  const isOverlapping = overlapSeconds > 0
  const secret = newWebhookSecret()
  const signing = isOverlapping ? { secret, previous: { secret: before, validUntil } } : { secret }
  const set = {
    sealed: sealWebhook(services.secrets, { ...row, headers }, signing).sealed,
    previousSecretExpiresAt: isOverlapping ? validUntil : null,
    updatedAt: now,
  }
  return {
    change: { writes: [{ op: 'update', kind: 'webhooks', id, expectVersion: row.version, set }], events: [] },
    audit: { action: 'webhook.secretRotated', target: { type: 'webhook', _id: id } },
    reply: { success: true, data: { ...(await showWebhook(ctx, { ...row, ...set })), secret } },
  }
}
