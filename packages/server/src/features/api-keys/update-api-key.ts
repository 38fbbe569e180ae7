import {
  changesBetween,
  notFound,
  type revokeApiKey,
  type StoredApiKey,
  shownApiKey,
  type UpdateApiKeyBody,
  type updateApiKey,
  updatedApiKey,
} from '@crmkit/core'
import { withdrawWebhooks } from '../../delivery/webhooks/webhook-maker.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { assertApiKey } from './assert-api-key.ts'

export const handleUpdateApiKey: Handler<typeof updateApiKey> = (ctx, { params, body }) => {
  assertApiKey(body, ctx.now)
  return changeApiKey(ctx, { id: params.id, body, action: 'apiKey.updated' })
}

export const handleRevokeApiKey: Handler<typeof revokeApiKey> = (ctx, { params }) =>
  changeApiKey(ctx, { id: params.id, body: { isActive: false }, action: 'apiKey.revoked' })

interface ApiKeyChange<Action extends string> {
  id: string
  body: UpdateApiKeyBody
  action: Action
}

async function changeApiKey<Action extends string>(
  ctx: HandlerContext,
  { id, body, action }: ApiKeyChange<Action>,
) {
  const { store, now } = ctx
  const before = await store.apiKeys.find(id)
  if (before === undefined) throw notFound()
  const { keyHash: _hash, ...current } = withoutVersion(before)
  const after = updatedApiKey(current, body, now)
  const changed = Object.keys(changesBetween(current, after))
  if (changed.length === 0) {
    return { reply: { success: true as const, data: shownApiKey(current, now) } }
  }
  const lost = losesPermissions(current, after) ? await withdrawn(ctx, after) : undefined
  const { _id, tenantId: _tenant, createdAt: _created, lastUsedAt: _used, ...set } = after
  return {
    change: {
      writes: [
        { op: 'update' as const, kind: 'apiKeys' as const, id, expectVersion: before.version, set },
        ...(lost?.writes ?? []),
      ],
      events: [],
      ...(lost && { expectTenantVersion: lost.expectTenantVersion }),
    },
    audit: { action, target: { type: 'apiKey', _id: id }, changed },
    reply: { success: true as const, data: shownApiKey(after, now) },
  }
}

function losesPermissions(before: StoredApiKey, after: StoredApiKey): boolean {
  return !after.isActive || before.permissions.some((permission) => !after.permissions.includes(permission))
}

function withdrawn(ctx: HandlerContext, { _id, isActive, permissions }: StoredApiKey) {
  return withdrawWebhooks(ctx, { type: 'apiKey', _id }, isActive ? permissions : [])
}
