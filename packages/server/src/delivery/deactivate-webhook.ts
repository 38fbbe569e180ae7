import type { DisabledReason, IdFactory } from '@crmkit/core'
import type { TenantStore } from '../ports/storage.ts'
import { passFaultPoint } from '../shared/fault-points.ts'
import { VersionConflict } from '../storage/errors.ts'
import type { AuditEntry } from '../storage/kinds/audit-log.ts'
import type { WebhookRecord } from '../storage/kinds/webhooks.ts'

const triesMax = 3

interface Deactivation {
  webhookId: string
  now: string
  disabledReason: Exclude<DisabledReason, 'manual'>
  /** Checked on the fresh row: a user may have repaired the webhook in the meantime. */
  isStillDue(row: WebhookRecord): boolean
}

const sentences = {
  gone: 'The receiver responded with 410 Gone',
  failing: 'There was no success for 7 days',
}

/** Deactivates a webhook, with an entry in the audit log. Throws `VersionConflict` after `triesMax` conflicts. */
export async function deactivateWebhook(
  { store, ids }: { store: TenantStore; ids: IdFactory },
  { webhookId, now, disabledReason, isStillDue }: Deactivation,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const row = await store.webhooks.find(webhookId)
    if (row === undefined || !row.isActive || !isStillDue(row)) return
    const entry: AuditEntry = {
      _id: ids.next('aud'),
      tenantId: store.tenantId,
      at: now,
      actor: { type: 'system', _id: null },
      action: 'webhook.deactivated',
      target: { type: 'webhook', _id: webhookId },
      reason: sentences[disabledReason],
      changed: ['isActive'],
      requestId: null,
    }
    const set = { isActive: false, disabledReason, updatedAt: now }
    if (disabledReason === 'gone') passFaultPoint('before-gone')
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
