import { hash } from 'node:crypto'
import { newKeyText, notFound, type rotateApiKey, rotatedApiKey, shownApiKey } from '@crmkit/core'
import { inheritWebhooks } from '../../delivery/webhooks/webhook-maker.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'

/** Creates a key with the settings of the old one, which stays valid for the overlap, and its webhooks, in one commit. */
export const handleRotateApiKey: Handler<typeof rotateApiKey> = async (
  { store, ids, now, actor },
  { params: { id }, body },
) => {
  const before = await store.apiKeys.find(id)
  if (before === undefined) throw notFound()
  const { keyHash: _hash, ...current } = withoutVersion(before)
  const text = newKeyText(current.environment)
  const making = { id: ids.next('key'), createdBy: actor._id, text, now }
  const { successor, ended } = rotatedApiKey(current, making, body.overlapSeconds)
  const row = { ...successor, keyHash: hash('sha256', text.key) }
  const { expiresAt, replacedBy, updatedAt } = ended
  const webhooks = await inheritWebhooks(store, {
    from: { type: 'apiKey', _id: id },
    to: { type: 'apiKey', _id: successor._id },
  })
  const set = { expiresAt, replacedBy, updatedAt }
  return {
    change: {
      writes: [
        { op: 'insert', kind: 'apiKeys', row },
        { op: 'update', kind: 'apiKeys', id, expectVersion: before.version, set },
        ...webhooks.writes,
      ],
      events: [],
      expectTenantVersion: webhooks.expectTenantVersion,
    },
    audit: { action: 'apiKey.rotated', target: { type: 'apiKey', _id: id } },
    reply: { success: true, data: { ...shownApiKey(successor, now), key: text.key } },
  }
}
