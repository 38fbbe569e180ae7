import { type getDeliveryLog, type listDeliveryLogs, notFound } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { pageTotals } from '../../shared/reply-page.ts'
import type { AttemptRecord } from '../../storage/kinds/attempts.ts'
import type { Handler } from '../handler.ts'

export const handleGetDeliveryLog: Handler<typeof getDeliveryLog> = async ({ store }, { params }) => ({
  reply: { success: true, data: await getAttempt(store, params) },
})

/** Returns the attempt with this id. Throws NOT_FOUND when it is not one of this webhook. */
export async function getAttempt(
  store: Pick<TenantReads, 'attempts'>,
  { id, logId }: { id: string; logId: string },
): Promise<AttemptRecord> {
  const attempt = await store.attempts.find(logId)
  if (attempt?.webhookId !== id) throw notFound()
  return attempt
}

export const handleListDeliveryLogs: Handler<typeof listDeliveryLogs> = async (
  { store },
  { params: { id }, query },
) => {
  // The page comes first: an invalid cursor is reported before an unknown webhook.
  const page = await store.attempts.list({ webhookId: id, ...query })
  if ((await store.webhooks.find(id)) === undefined) throw notFound()
  return { reply: { success: true, data: { logs: page.rows, ...pageTotals(page, query) } } }
}
