import { newWebhookSecret, notFound, rotatedSecret, type rotateWebhookSecret } from '@crmkit/core'
import { openWebhook, sealWebhook } from '../../delivery/webhooks/seal-webhook.ts'
import type { Handler } from '../handler.ts'
import { showWebhook } from './show-webhook.ts'

export const handleRotateWebhookSecret: Handler<typeof rotateWebhookSecret> = async (
  ctx,
  { params: { id }, body },
) => {
  const { store, now, services } = ctx
  const row = await store.webhooks.find(id)
  if (row === undefined) throw notFound()
  const { headers, ...before } = openWebhook(services.secrets, row)
  const rotation = { secret: newWebhookSecret(), overlapSeconds: body.overlapSeconds, now }
  const signing = rotatedSecret(before, rotation)
  const set = {
    sealed: sealWebhook(services.secrets, { ...row, headers }, signing).sealed,
    previousSecretExpiresAt: signing.previous?.validUntil ?? null,
    updatedAt: now,
  }
  return {
    change: { writes: [{ op: 'update', kind: 'webhooks', id, expectVersion: row.version, set }], events: [] },
    audit: { action: 'webhook.secretRotated', target: { type: 'webhook', _id: id } },
    reply: {
      success: true,
      data: { ...(await showWebhook(ctx, { ...row, ...set })), secret: signing.secret },
    },
  }
}
