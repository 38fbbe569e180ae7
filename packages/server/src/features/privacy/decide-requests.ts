import {
  type approvePrivacyRequest,
  type completePrivacyRequest,
  isOpenRequest,
  type listPrivacyRequests,
  movedPrivacyRequest,
  notFound,
  type PrivacyRequest,
  type rejectPrivacyRequest,
} from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { pageReply } from '../../shared/reply-page.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import type { SystemContext, SystemHandler } from '../system-handler.ts'
import { signedInOf } from '../system-handler.ts'
import { type RemovalContext, type Remover, removedUser } from '../users/remove-user.ts'
import { restrictionChange } from './restrict-user.ts'

function shown(request: PrivacyRequest, now: string) {
  return { ...request, isOverdue: isOpenRequest(request) && request.dueAt < now }
}

export const handleListPrivacyRequests: Handler<typeof listPrivacyRequests> = async (
  { store, now },
  { query },
) => {
  const page = await store.privacyRequests.list(query)
  return { reply: pageReply({ ...page, rows: page.rows.map((row) => shown(row, now)) }, query) }
}

/** Throws NOT_FOUND. */
async function getRequest(store: TenantReads, id: string): Promise<Stored<PrivacyRequest>> {
  const request = await store.privacyRequests.find(id)
  if (request === undefined) throw notFound()
  return request
}

interface Decided {
  before: Stored<PrivacyRequest>
  set: Partial<PrivacyRequest>
  now: string
}

/** Returns the write of a decision, with its audit target and its reply. */
function decided({ before, set, now }: Decided) {
  const { _id: id, version: expectVersion } = before
  return {
    write: { op: 'update' as const, kind: 'privacyRequests' as const, id, expectVersion, set },
    target: { type: 'privacyRequest', _id: id },
    reply: { success: true as const, data: shown({ ...withoutVersion(before), ...set }, now) },
  }
}

export const handleApprovePrivacyRequest: SystemHandler<typeof approvePrivacyRequest> = async (
  ctx,
  { params, body },
) => {
  const { now } = ctx
  const { tenantId } = signedInOf(ctx)
  const before = await getRequest(ctx.forTenant(tenantId), params.id)
  const set = movedPrivacyRequest(before, 'processing', { ...body, now })
  const { write, target, reply } = decided({ before, set, now })
  const effect = await effectOfApproval(ctx, before)
  return {
    tenantId,
    change: { ...effect, writes: [write, ...effect.writes] },
    audit: { action: 'privacyRequest.approved', target },
    reply,
  }
}

function effectOfApproval(ctx: SystemContext, request: PrivacyRequest): Promise<Change<Kind>> | Change<Kind> {
  const { tenantId, actor } = signedInOf(ctx)
  if (request.type === 'deletion') return userErasure(ctx, { tenantId, role: actor.role }, request.userId)
  if (request.type !== 'restriction') return { writes: [], events: [] }
  const { ids, now } = ctx
  const store = ctx.forTenant(tenantId)
  return restrictionChange({ store, ids, now }, { userId: request.userId, isRestricted: true })
}

/** Removes the user, and leaves the rest to a task. Throws INVALID_STATE for the last owner. */
export async function userErasure(
  ctx: RemovalContext,
  remover: Remover,
  userId: string,
): Promise<Change<Kind>> {
  const { ids, now } = ctx
  const { tenantId } = remover
  const user = await ctx.forTenant(tenantId).users.find(userId)
  // A user who was removed since still has a name under messages.
  const removal = user === undefined ? { writes: [], events: [] } : await removedUser(ctx, remover, user)
  const task = { type: 'eraseUser', subjectId: userId, targetId: ids.next('usr') } as const
  const row = { _id: ids.next('tsk'), tenantId, ...task, requestedAt: now }
  return { ...removal, writes: [...removal.writes, { op: 'insert', kind: 'tasks', row }] }
}

/** Lifts the restriction when the request was one that held. */
async function withdrawn(ctx: HandlerContext, before: PrivacyRequest): Promise<Change> {
  if (before.type !== 'restriction' || before.status !== 'processing') return { writes: [], events: [] }
  return restrictionChange(ctx, { userId: before.userId, isRestricted: false, endedId: before._id })
}

export const handleRejectPrivacyRequest: Handler<typeof rejectPrivacyRequest> = async (
  ctx,
  { params, body },
) => {
  const before = await getRequest(ctx.store, params.id)
  const set = movedPrivacyRequest(before, 'rejected', { ...body, now: ctx.now })
  const { write, target, reply } = decided({ before, set, now: ctx.now })
  const { writes, events } = await withdrawn(ctx, before)
  return {
    change: { writes: [write, ...writes], events },
    audit: { action: 'privacyRequest.rejected', target },
    reply,
  }
}

export const handleCompletePrivacyRequest: Handler<typeof completePrivacyRequest> = async (
  ctx,
  { params, body },
) => {
  const before = await getRequest(ctx.store, params.id)
  const set = movedPrivacyRequest(before, 'completed', { ...body, now: ctx.now })
  const { write, target, reply } = decided({ before, set, now: ctx.now })
  const { writes, events } = await withdrawn(ctx, before)
  return {
    change: { writes: [write, ...writes], events },
    audit: { action: 'privacyRequest.completed', target },
    reply,
  }
}
