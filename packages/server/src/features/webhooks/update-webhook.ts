import {
  changesBetween,
  notFound,
  updatedWebhook,
  type updateWebhook,
  type WebhookSettings,
} from '@crmkit/core'
import { openWebhook, sealWebhook } from '../../delivery/seal-webhook.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'
import { assertWebhook } from './assert-webhook.ts'
import { showWebhook } from './show-webhook.ts'

export const handleUpdateWebhook: Handler<typeof updateWebhook> = async (ctx, { params: { id }, body }) => {
  const { store, now, services } = ctx
  assertWebhook(services.checkDestination, body)
  const row = await store.webhooks.find(id)
  if (row === undefined) throw notFound()
  const { headers, ...signing } = openWebhook(services.secrets, row)
  const { sealed: _sealed, ...before } = { ...withoutVersion(row), headers }
  const after = updatedWebhook(before, body, now)
  const changed = Object.keys(changesBetween(before, after)) as (keyof WebhookSettings)[]
  if (changed.length === 0) return { reply: { success: true, data: await showWebhook(ctx, row) } }
  const set: Partial<WebhookRecord> = { updatedAt: now }
  for (const field of changed) {
    if (field === 'headers') set.sealed = sealWebhook(services.secrets, after, signing).sealed
    else Object.assign(set, { [field]: after[field] })
  }
  if (changed.includes('events')) set.eventsChangedAt = now
  if (changed.includes('url')) set.urlChangedAt = now
  if (changed.includes('isActive'))
    Object.assign(
      set,
      after.isActive ? { disabledReason: null, activeSince: now } : { disabledReason: 'manual' },
    )
  return {
    change: { writes: [{ op: 'update', kind: 'webhooks', id, expectVersion: row.version, set }], events: [] },
    audit: { action: 'webhook.updated', target: { type: 'webhook', _id: id }, changed },
    reply: { success: true, data: await showWebhook(ctx, { ...row, ...set }) },
  }
}
