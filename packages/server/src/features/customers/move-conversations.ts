import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'

const pageSize = 100

/**
 * Returns writes that move the next page of a merged customer's conversations to the target. Empty when none is left.
 * Nobody has worked on the conversations, so they keep their `updatedAt` and there is no event about them.
 */
export async function moveConversations(
  store: TenantStore,
  { sourceId, targetId }: { sourceId: string; targetId: string },
): Promise<Write[]> {
  const { rows } = await store.conversations.list({
    customerId: sourceId,
    sort: 'createdAt',
    page: 1,
    limit: pageSize,
  })
  return rows.map(({ _id: id, version: expectVersion }) => ({
    op: 'update',
    kind: 'conversations',
    id,
    expectVersion,
    set: { customerId: targetId },
  }))
}
