import { type getDeliveryLog, notFound } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
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
