import {
  type cancelDeletion,
  conflict,
  deletionRequestOf,
  type getDeletionStatus,
  isOpenRequest,
  movedPrivacyRequest,
  notFound,
} from '@crmkit/core'
import { userOf } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'

/** Returns the latest deletion request of the signed-in user; undefined when there is none. */
async function findLatest(ctx: HandlerContext) {
  const filter = { userId: userOf(ctx)._id, type: 'deletion', sort: '-createdAt', page: 1, limit: 1 } as const
  const { rows } = await ctx.store.privacyRequests.listRows(filter)
  return rows[0]
}

/** Throws CONFLICT while a deletion request of the signed-in user is open. */
export async function assertNoOpenDeletion(ctx: HandlerContext): Promise<void> {
  const latest = await findLatest(ctx)
  if (latest !== undefined && isOpenRequest(latest)) {
    throw conflict('You have a deletion request that is not finished yet', { id: latest._id })
  }
}

export const handleGetDeletionStatus: Handler<typeof getDeletionStatus> = async (ctx) => {
  const latest = await findLatest(ctx)
  const request = latest && deletionRequestOf(latest)
  return { reply: { success: true, hasRequest: request !== undefined, ...(request && { request }) } }
}

export const handleCancelDeletion: Handler<typeof cancelDeletion> = async (ctx) => {
  const latest = await findLatest(ctx)
  if (latest === undefined) throw notFound()
  const { _id: id, version: expectVersion } = latest
  const set = movedPrivacyRequest(latest, 'cancelled', { now: ctx.now })
  return {
    change: { writes: [{ op: 'update', kind: 'privacyRequests', id, expectVersion, set }], events: [] },
    audit: { action: 'privacyRequest.cancelled', target: { type: 'privacyRequest', _id: id } },
    reply: { success: true, message: 'The deletion request was cancelled' },
  }
}
