import type { Log } from '../../ports/log.ts'
import type { Committed } from '../../ports/storage.ts'

/** Returns a listener that logs each webhook that a commit deactivates: nothing is delivered to it from then on. */
export function logDeactivations(log: Log): (commit: Committed) => void {
  return ({ tenantId, change }) => {
    for (const write of change.writes) {
      if (write.op !== 'update' || write.kind !== 'webhooks' || write.set.isActive !== false) continue
      const { disabledReason: reason } = write.set
      log.warn({ tenantId, webhookId: write.id, reason }, 'A webhook was deactivated')
    }
  }
}
