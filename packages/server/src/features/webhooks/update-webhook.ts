import { changesBetween, notFound, updatedWebhook, type updateWebhook, type Webhook } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { type WebhookRecord, withoutVersion } from '../../ports/records.ts'
import { assertWebhook } from './assert-webhook.ts'
import { openWebhook, sealWebhook } from './seal-webhook.ts'

export const handleUpdateWebhook: Handler<typeof updateWebhook> = async (ctx, { params: { id }, body }) => {
  const { store, now, services } = ctx
  assertWebhook(services.checkDestination, body)
  const row = await store.webhooks.find(id)
  if (row === undefined) throw notFound()
  const { secret, headers } = openWebhook(services.secrets, row)
  const { sealed: _sealed, ...before } = { ...withoutVersion(row), headers }
  const after = updatedWebhook(before, body, now)
  const changed = Object.keys(changesBetween(before, after)) as (keyof Webhook)[]
  if (changed.length === 0) return { reply: { success: true, data: before } }
  const set: Partial<WebhookRecord> = { updatedAt: now }
  for (const field of changed) {
    if (field === 'headers') set.sealed = sealWebhook(services.secrets, after, secret).sealed
    else Object.assign(set, { [field]: after[field] })
  }
  return {
    change: { writes: [{ op: 'update', kind: 'webhooks', id, expectVersion: row.version, set }], events: [] },
    audit: { action: 'webhook.updated', target: { type: 'webhook', _id: id } },
    reply: { success: true, data: after },
  }
}
