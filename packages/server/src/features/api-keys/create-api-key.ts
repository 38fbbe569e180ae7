import { hash } from 'node:crypto'
import { type createApiKey, newApiKey, newKeyText, shownApiKey } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { assertApiKey } from './assert-api-key.ts'

export const handleCreateApiKey: Handler<typeof createApiKey> = async (
  { tenantId, ids, now, actor },
  { body },
) => {
  assertApiKey(body, now)
  const text = newKeyText(body.environment ?? 'production')
  const apiKey = newApiKey(body, { id: ids.next('key'), tenantId, createdBy: actor._id, text, now })
  const row = { ...apiKey, keyHash: hash('sha256', text.key) }
  return {
    change: { writes: [{ op: 'insert', kind: 'apiKeys', row }], events: [] },
    audit: { action: 'apiKey.created', target: { type: 'apiKey', _id: apiKey._id } },
    reply: { success: true, data: { ...shownApiKey(apiKey, now), key: text.key } },
  }
}
