import { type JobDeclaration, pollEveryMs } from '../../jobs/background-job.ts'
import { replanAfterSetback } from '../../jobs/replan-after-setback.ts'
import { oldestDueAttempt } from './oldest-due-attempt.ts'
import { createWebhookDeliveries } from './webhook-deliveries.ts'

/** Delivers due webhook attempts, after planning anew those that a clock which was ahead has planned too late. */
export const deliverDueAttempts: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'attempts at webhooks',
    lateAfterMinutes: 15,
    oldestDue: oldestDueAttempt,
  },
  wakes: {
    on: ['deliveries', 'webhooks'],
    ask({ change, deliveries }, wake) {
      // A webhook that was activated again may have attempts that are due.
      const isWebhookChanged = change.writes.some(({ kind, op }) => kind === 'webhooks' && op === 'update')
      if (deliveries > 0 || isWebhookChanged) wake()
    },
  },
  make(parts) {
    const { storage, clock } = parts
    const deliveries = createWebhookDeliveries(parts)
    const replanned = replanAfterSetback(deliveries, { system: storage.system, clock })
    return { ...replanned, onCommitted: deliveries.onCommitted }
  },
}
