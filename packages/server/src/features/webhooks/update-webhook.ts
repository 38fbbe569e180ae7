import {
  changesBetween,
  notFound,
  type UpdateWebhookBody,
  unmaskedHeaders,
  updatedWebhook,
  type updateWebhook,
  validationFailure,
  type WebhookSettings,
  webhookHeaderProblems,
} from '@crmkit/core'
import { openWebhook, sealWebhook } from '../../delivery/webhooks/seal-webhook.ts'
import { assertMayReceive, makerOf } from '../../delivery/webhooks/webhook-maker.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Actor } from '../caller.ts'
import type { Handler } from '../handler.ts'
import { assertWebhook } from './assert-webhook.ts'
import { showWebhook } from './show-webhook.ts'

export const handleUpdateWebhook: Handler<typeof updateWebhook> = async (ctx, { params: { id }, body }) => {
  const { store, now, services, actor } = ctx
  assertWebhook(services.checkDestination, body)
  // Read before the permissions, which then cannot change before the commit.
  const tenantVersion = await store.version()
  const row = await store.webhooks.find(id)
  if (row === undefined) throw notFound()
  const { headers, ...signing } = openWebhook(services.secrets, row)
  const { sealed: _sealed, ...before } = { ...withoutVersion(row), headers }
  const after = updatedWebhook(before, { ...body, headers: headersToStore(body, before) }, now)
  const changed = Object.keys(changesBetween(before, after)) as (keyof WebhookSettings)[]
  const isOpened = changed.some((field) => opensData(field, after))
  if (isOpened) await assertMayReceive(ctx, after.events)
  const isNewMaker = isOpened || adopts(actor, { body, row })
  if (changed.length === 0 && !isNewMaker) {
    return { reply: { success: true, data: await showWebhook(ctx, row) } }
  }
  const set: Partial<WebhookRecord> = { updatedAt: now, ...stateOf(changed, { after, now }) }
  if (changed.includes('headers')) set.sealed = sealWebhook(services.secrets, after, signing).sealed
  if (isNewMaker) set.maker = makerOf(actor)
  return {
    change: {
      writes: [{ op: 'update', kind: 'webhooks', id, expectVersion: row.version, set }],
      events: [],
      ...(isNewMaker && { expectTenantVersion: tenantVersion }),
    },
    audit: {
      action: 'webhook.updated',
      target: { type: 'webhook', _id: id },
      changed: changed.length > 0 ? changed : ['maker'],
    },
    reply: { success: true, data: await showWebhook(ctx, { ...row, ...set }) },
  }
}

/** Header values are for the receiver at one origin: another origin does not get them. */
function headersToStore(body: UpdateWebhookBody, before: WebhookSettings): UpdateWebhookBody['headers'] {
  const isMoved = body.url !== undefined && originOf(body.url) !== originOf(before.url)
  if (body.headers === undefined) return isMoved ? {} : undefined
  const { headers, problems } = unmaskedHeaders(body.headers ?? {}, { stored: before.headers, isMoved })
  const all = problems.length > 0 ? problems : webhookHeaderProblems(headers)
  if (all.length > 0) throw validationFailure(all)
  return headers
}

const originOf = (url: string) => URL.parse(url)?.origin ?? url

/** Whether a change of this field makes a receiver get events that it does not get without the change. */
function opensData(field: keyof WebhookSettings, { isActive }: WebhookSettings): boolean {
  return field === 'events' || field === 'url' || (field === 'isActive' && isActive)
}

/** A signed-in user takes over a webhook with `isActive: true`, even if it is active: for example before a key is revoked. */
function adopts(actor: Actor, { body, row }: { body: UpdateWebhookBody; row: WebhookRecord }): boolean {
  return actor.type === 'user' && body.isActive === true && row.maker?._id !== actor._id
}

/** The changed fields as they are stored, except the headers, with the times and the reason that follow from them. */
function stateOf(
  changed: readonly (keyof WebhookSettings)[],
  { after, now }: { after: WebhookSettings; now: string },
): Partial<WebhookRecord> {
  const set: Partial<WebhookRecord> = {}
  for (const field of changed) {
    if (field !== 'headers') Object.assign(set, { [field]: after[field] })
  }
  if (changed.includes('events')) set.eventsChangedAt = now
  if (changed.includes('url')) set.urlChangedAt = now
  if (!changed.includes('isActive')) return set
  return {
    ...set,
    ...(after.isActive ? { disabledReason: null, activeSince: now } : { disabledReason: 'manual' }),
  }
}
