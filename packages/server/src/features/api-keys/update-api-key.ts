import {
  changesBetween,
  notFound,
  type revokeApiKey,
  shownApiKey,
  type UpdateApiKeyBody,
  type updateApiKey,
  updatedApiKey,
} from '@crmkit/core'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { assertApiKey } from './assert-api-key.ts'

export const handleUpdateApiKey: Handler<typeof updateApiKey> = (ctx, { params, body }) => {
  assertApiKey(body, ctx.now)
  return changeApiKey(ctx, { id: params.id, body, action: 'apiKey.updated' })
}

export const handleRevokeApiKey: Handler<typeof revokeApiKey> = (ctx, { params }) =>
  changeApiKey(ctx, { id: params.id, body: { isActive: false }, action: 'apiKey.revoked' })

interface ApiKeyChange {
  id: string
  body: UpdateApiKeyBody
  action: string
}

async function changeApiKey({ store, now }: HandlerContext, { id, body, action }: ApiKeyChange) {
  const before = await store.apiKeys.find(id)
  if (before === undefined) throw notFound()
  const { keyHash: _hash, ...current } = withoutVersion(before)
  const after = updatedApiKey(current, body, now)
  const changed = Object.keys(changesBetween(current, after))
  if (changed.length === 0) {
    return { reply: { success: true as const, data: shownApiKey(current, now) } }
  }
  const { _id, tenantId: _tenant, createdAt: _created, lastUsedAt: _used, ...set } = after
  return {
    change: {
      writes: [{ op: 'update' as const, kind: 'apiKeys' as const, id, expectVersion: before.version, set }],
      events: [],
    },
    audit: { action, target: { type: 'apiKey', _id: id }, changed },
    reply: { success: true as const, data: shownApiKey(after, now) },
  }
}
