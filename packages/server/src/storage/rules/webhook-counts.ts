import type { DeliveryCounts } from '@crmkit/core'
import type { AttemptResult, TenantId } from '../records.ts'

/* How results count for their webhook, for every storage adapter alike. */

/** The change of one webhook's counts by a group of results. */
export interface CountsChange {
  tenantId: TenantId
  webhookId: string
  /** Of the group; null when nothing succeeded. */
  lastSuccessAt: string | null
  lastFailureAt: string | null
  /** Failures behind the group's last success, and the first of them. */
  failures: number
  failingSince: string | null
}

/** One change for each webhook, however many results it had. */
export function countsChanges(results: readonly AttemptResult[]): CountsChange[] {
  const changes = new Map<string, CountsChange>()
  for (const { tenantId, webhookId, status, deliveredAt, errorCode } of results) {
    // Nothing was sent, so it says nothing about the receiver.
    if (errorCode === 'ERASED') continue
    const key = JSON.stringify([tenantId, webhookId])
    const before = changes.get(key) ?? { tenantId, webhookId, ...nothing }
    const after =
      status === 'success'
        ? { ...before, lastSuccessAt: deliveredAt, failures: 0, failingSince: null }
        : {
            ...before,
            lastFailureAt: deliveredAt,
            failures: before.failures + 1,
            failingSince: before.failingSince ?? deliveredAt,
          }
    changes.set(key, after)
  }
  return [...changes.values()]
}

const nothing = { lastSuccessAt: null, lastFailureAt: null, failures: 0, failingSince: null }

export function changedCounts(before: DeliveryCounts, change: CountsChange): DeliveryCounts {
  const isReset = change.lastSuccessAt !== null
  return {
    consecutiveFailures: change.failures + (isReset ? 0 : before.consecutiveFailures),
    failingSince: (isReset ? null : before.failingSince) ?? change.failingSince,
    lastSuccessAt: change.lastSuccessAt ?? before.lastSuccessAt,
    lastFailureAt: change.lastFailureAt ?? before.lastFailureAt,
  }
}
