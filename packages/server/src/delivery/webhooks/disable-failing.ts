import { type IdFactory, isHopeless } from '@crmkit/core'
import type { Storage } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import type { AttemptResult } from '../../storage/records.ts'
import { deactivateWebhook } from './deactivate-webhook.ts'

interface DisableParts {
  storage: Pick<Storage, 'forTenant'>
  ids: IdFactory
  nowMs: number
}

/** Checks the webhooks of these results and deactivates those that have had no success for a week. */
export async function disableFailing(
  { storage, ids, nowMs }: DisableParts,
  results: readonly AttemptResult[],
): Promise<void> {
  const failed = results.filter(({ status }) => status === 'failed')
  const byTenant = Map.groupBy(failed, ({ tenantId }) => tenantId)
  for (const [tenantId, own] of byTenant) {
    const store = storage.forTenant(tenantId)
    for (const counts of await store.webhooks.counts([...new Set(own.map(({ webhookId }) => webhookId))])) {
      if (!isHopeless(counts, { activeSince: longAgo, nowMs })) continue
      const isStillDue = (row: { activeSince?: string; createdAt: string }) =>
        isHopeless(counts, { activeSince: row.activeSince ?? row.createdAt, nowMs })
      const { webhookId } = counts
      const now = isoTime(nowMs)
      await deactivateWebhook({ store, ids }, { webhookId, now, disabledReason: 'failing', isStillDue })
    }
  }
}

const longAgo = new Date(0).toISOString()
