import type { DisabledReason, IdFactory } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { VersionConflict } from '../../storage/errors.ts'
import type { AuditEntry } from '../../storage/kinds/audit-log.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'
import type { Stored } from '../../storage/records.ts'

const triesMax = 3

/** The reasons for which the service itself deactivates a webhook. */
type OwnReason = Exclude<DisabledReason, 'manual'>

interface Deactivation {
  webhookId: string
  now: string
  disabledReason: OwnReason
  /** Checked on the fresh row: a user may have repaired the webhook in the meantime. */
  isStillDue(row: WebhookRecord): boolean
}

const sentences = {
  gone: 'The receiver responded with 410 Gone',
  failing: 'There was no success for 7 days',
  permission: 'Its creator lost the permission to read its events',
} satisfies Record<OwnReason, string>

interface DeactivationParts {
  ids: IdFactory
  now: string
  disabledReason: OwnReason
  /** The request that caused it; null for background jobs. */
  requestId: string | null
}

/** Returns the writes that deactivate a webhook, with an entry in the audit log. */
export function deactivationWrites(
  { _id: id, tenantId, version: expectVersion }: Stored<WebhookRecord>,
  { ids, now, disabledReason, requestId }: DeactivationParts,
): Write[] {
  const entry: AuditEntry = {
    _id: ids.next('aud'),
    tenantId,
    at: now,
    actor: { type: 'system', _id: null },
    action: 'webhook.deactivated',
    target: { type: 'webhook', _id: id },
    reason: sentences[disabledReason],
    changed: ['isActive'],
    requestId,
  }
  const set = { isActive: false, disabledReason, updatedAt: now }
  return [
    { op: 'update', kind: 'webhooks', id, expectVersion, set },
    { op: 'insert', kind: 'auditLog', row: entry },
  ]
}

/** Deactivates a webhook, with an entry in the audit log. Throws `VersionConflict` after `triesMax` conflicts. */
export async function deactivateWebhook(
  { store, ids }: { store: TenantStore; ids: IdFactory },
  { webhookId, now, disabledReason, isStillDue }: Deactivation,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const row = await store.webhooks.find(webhookId)
    if (row === undefined || !row.isActive || !isStillDue(row)) return
    if (disabledReason === 'gone') passFaultPoint('before-gone')
    try {
      const writes = deactivationWrites(row, { ids, now, disabledReason, requestId: null })
      await store.commit({ writes, events: [] })
      return
    } catch (error) {
      if (!(error instanceof VersionConflict) || tries >= triesMax) throw error
    }
  }
}
