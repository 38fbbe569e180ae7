import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'

const pageSize = 100

interface Move {
  sourceId: string
  targetId: string
}

/**
 * Returns writes that move the next page of a merged customer's conversations, then of its calls, to the target. Empty
 * when none is left. Nobody has worked on the conversations, so they keep their `updatedAt` and there is no event about them.
 */
export async function moveConversations(store: TenantStore, { sourceId, targetId }: Move): Promise<Write[]> {
  const { rows } = await store.conversations.list({
    customerId: sourceId,
    sort: 'createdAt',
    page: 1,
    limit: pageSize,
  })
  if (rows.length === 0) return moveCalls(store, { sourceId, targetId })
  return rows.map(({ _id: id, version: expectVersion }) => ({
    op: 'update',
    kind: 'conversations',
    id,
    expectVersion,
    set: { customerId: targetId },
  }))
}

async function moveCalls(store: TenantStore, { sourceId, targetId }: Move): Promise<Write[]> {
  const { rows } = await store.calls.list({ customerId: sourceId, page: 1, limit: pageSize })
  return rows.map(({ _id: id, version: expectVersion }) => ({
    op: 'update',
    kind: 'calls',
    id,
    expectVersion,
    set: { customerId: targetId },
  }))
}
