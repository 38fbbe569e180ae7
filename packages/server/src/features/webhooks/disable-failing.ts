import { type IdFactory, isHopeless } from '@crmkit/core'
import { isoTime } from '../../ports/clock.ts'
import type { AttemptResult } from '../../ports/records.ts'
import type { Storage } from '../../ports/storage.ts'
import { deactivateWebhook } from './deactivate-webhook.ts'

interface DisableParts {
  storage: Pick<Storage, 'forTenant'>
  ids: IdFactory
  nowMs: number
}

/** Looks at the webhooks that have just failed and switches off those that have done so for a week. */
export async function disableFailing(
  { storage, ids, nowMs }: DisableParts,
  results: readonly AttemptResult[],
): Promise<void> {
  const failed = results.filter(({ status }) => status === 'failed')
  const webhooks = new Map(failed.map((result) => [`${result.tenantId}\u0000${result.webhookId}`, result]))
  for (const { tenantId, webhookId } of webhooks.values()) {
    const store = storage.forTenant(tenantId)
    const [counts] = await store.webhooks.counts([webhookId])
    if (counts === undefined || !isHopeless(counts, { activeSince: longAgo, nowMs })) continue
    const isDeserved = (row: { activeSince?: string; createdAt: string }) =>
      isHopeless(counts, { activeSince: row.activeSince ?? row.createdAt, nowMs })
    const now = isoTime(nowMs)
    await deactivateWebhook({ store, ids }, { webhookId, now, disabledReason: 'failing', isDeserved })
  }
}

const longAgo = new Date(0).toISOString()
