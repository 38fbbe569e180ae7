import type { IdFactory } from '@crmkit/core'
import type { AuditEntry } from '../../ports/records.ts'
import { type TenantStore, VersionConflict } from '../../ports/storage.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'

const triesMax = 3

interface Gone {
  webhookId: string
  /** Where the 410 came from: a webhook that was pointed elsewhere meanwhile stays active. */
  url: string
  now: string
}

/** Switches off a webhook whose receiver answered 410, with a note in the audit log. */
export async function deactivateGone(
  { store, ids }: { store: TenantStore; ids: IdFactory },
  { webhookId, url, now }: Gone,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const row = await store.webhooks.find(webhookId)
    if (row === undefined || !row.isActive || row.url !== url) return
    const entry: AuditEntry = {
      _id: ids.next('aud'),
      tenantId: store.tenantId,
      at: now,
      actor: { type: 'system', _id: null },
      action: 'webhook.deactivated',
      target: { type: 'webhook', _id: webhookId },
      reason: 'The receiver answered 410 Gone',
      requestId: null,
    }
    const set = { isActive: false, updatedAt: now }
    passFaultPoint('before-gone')
    try {
      await store.commit({
        writes: [
          { op: 'update', kind: 'webhooks', id: webhookId, expectVersion: row.version, set },
          { op: 'insert', kind: 'auditLog', row: entry },
        ],
        events: [],
      })
      return
    } catch (error) {
      if (!(error instanceof VersionConflict) || tries >= triesMax) throw error
    }
  }
}
