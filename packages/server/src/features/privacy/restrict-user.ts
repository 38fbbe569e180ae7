import { changesBetween, type User, userEvent } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { userOfRecord } from '../../shared/user-of-record.ts'
import type { HandlerContext } from '../handler.ts'

interface Restriction {
  userId: string
  isRestricted: boolean
  /** The request that no longer holds. */
  endedId?: string | undefined
}

/**
 * Returns the change that restricts the processing of a user's data, or lifts the restriction unless another approved
 * request holds it. Each writes the user's row, so that two decisions at the same moment see each other.
 */
export async function restrictionChange(
  { store, ids, now }: Pick<HandlerContext, 'store' | 'ids' | 'now'>,
  { userId, isRestricted, endedId }: Restriction,
): Promise<Change> {
  const stored = await store.users.find(userId)
  if (stored === undefined) return { writes: [], events: [] }
  const before = userOfRecord(stored, { now, viewerId: userId })
  const processingRestricted = isRestricted || (await isHeldByAnother(store, { userId, endedId }))
  const user: User = { ...before, processingRestricted, updatedAt: now }
  const changes = changesBetween(before, user)
  const isChanged = 'processingRestricted' in changes
  const set = isChanged ? { processingRestricted, updatedAt: now } : {}
  return {
    writes: [{ op: 'update', kind: 'users', id: userId, expectVersion: stored.version, set }],
    events: isChanged ? [userEvent('user.updated', { user, changes, eventId: ids.next('evt'), now })] : [],
  }
}

async function isHeldByAnother(
  store: TenantReads,
  { userId, endedId }: Pick<Restriction, 'userId' | 'endedId'>,
): Promise<boolean> {
  const filter = { userId, type: 'restriction', status: 'processing', page: 1, limit: 2 } as const
  const { rows } = await store.privacyRequests.listRows(filter)
  return rows.some(({ _id }) => _id !== endedId)
}
