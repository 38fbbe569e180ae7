import {
  type CannedReply,
  changesBetween,
  conflict,
  type createCannedReply,
  type deleteCannedReply,
  referenceFailure,
  type UpdateCannedReplyBody,
  type updateCannedReply,
  validationFailure,
} from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { wholeTeam } from '../../storage/kinds/canned-replies.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Actor } from '../caller.ts'
import type { Handler } from '../handler.ts'
import { assertMayTake, getCannedReplyRow } from './find-canned-reply.ts'

export const handleCreateCannedReply: Handler<typeof createCannedReply> = async (
  { store, ids, tenantId, actor, now },
  { body },
) => {
  const { contentType = 'text', inboxIds = [], isShared = true } = body
  if (!isShared) assertPerson(actor)
  const row: CannedReply = {
    _id: ids.next('rep'),
    tenantId,
    shortcut: body.shortcut,
    title: body.title,
    content: body.content,
    contentType,
    inboxIds,
    isShared,
    ownerId: actor.type === 'user' ? actor._id : null,
    createdAt: now,
    updatedAt: now,
  }
  await assertInboxes(store, inboxIds)
  await assertFree(store, row)
  return {
    change: { writes: [{ op: 'insert', kind: 'cannedReplies', row }], events: [] },
    audit: { action: 'cannedReply.created', target: { type: 'cannedReply', _id: row._id } },
    reply: { success: true, data: row },
  }
}

export const handleUpdateCannedReply: Handler<typeof updateCannedReply> = async (
  { store, actor, now },
  { params, body },
) => {
  const found = await getCannedReplyRow(store, actor, params.id)
  const before = withoutVersion(found)
  const after = updatedReply(before, body, actor)
  const changed = Object.keys(changesBetween(before, after))
  if (changed.length === 0) return { reply: { success: true, data: before } }
  // An inbox of before may be deleted meanwhile.
  await assertInboxes(
    store,
    after.inboxIds.filter((id) => !before.inboxIds.includes(id)),
  )
  await assertFree(store, after)
  const { _id: id, tenantId: _tenant, createdAt: _created, ...rest } = after
  const set = { ...rest, updatedAt: now }
  return {
    change: {
      writes: [{ op: 'update', kind: 'cannedReplies', id, expectVersion: found.version, set }],
      events: [],
    },
    audit: { action: 'cannedReply.updated', target: { type: 'cannedReply', _id: id }, changed },
    reply: { success: true, data: { ...after, updatedAt: now } },
  }
}

export const handleDeleteCannedReply: Handler<typeof deleteCannedReply> = async (
  { store, actor },
  { params },
) => {
  const row = await getCannedReplyRow(store, actor, params.id)
  assertMayTake(actor, row)
  return {
    change: { writes: [removalOf('cannedReplies', row)], events: [] },
    audit: { action: 'cannedReply.deleted', target: { type: 'cannedReply', _id: row._id } },
    reply: { success: true, message: 'Canned reply deleted' },
  }
}

/** A reply that is taken from the team becomes the caller's own. */
function updatedReply(before: CannedReply, body: UpdateCannedReplyBody, actor: Actor): CannedReply {
  const { shortcut, title, content, contentType, inboxIds, isShared } = before
  const after = { shortcut, title, content, contentType, inboxIds, isShared }
  for (const [name, value] of Object.entries(body))
    if (value !== undefined) Object.assign(after, { [name]: value })
  const isTaken = before.isShared && !after.isShared
  if (!isTaken) return { ...before, ...after }
  assertPerson(actor)
  assertMayTake(actor, before)
  return { ...before, ...after, ownerId: actor._id }
}

/** Throws VALIDATION_ERROR for an API key: a reply that is not shared has an owner, who is a user. */
function assertPerson(actor: Actor): void {
  if (actor.type === 'user') return
  const message = 'must be true: an API key has no canned replies of its own'
  throw validationFailure([{ field: 'isShared', in: 'body', rule: 'owner', message }])
}

async function assertInboxes(store: TenantReads, inboxIds: readonly string[]): Promise<void> {
  const found = await Promise.all(inboxIds.map((id) => store.inboxes.find(id)))
  const missing = found.flatMap((inbox, at) => (inbox === undefined ? [`inboxIds.${at}`] : []))
  if (missing.length > 0) throw referenceFailure(...missing)
}

/** Throws CONFLICT when another reply of the same audience has the shortcut. The commit of a race runs this again. */
async function assertFree(
  store: TenantReads,
  { _id, shortcut, isShared, ownerId }: CannedReply,
): Promise<void> {
  const audience = [isShared ? wholeTeam : (ownerId ?? wholeTeam)]
  const { rows } = await store.cannedReplies.listRows({ audience, shortcut, page: 1, limit: 2 })
  const other = rows.find((row) => row._id !== _id)
  if (other !== undefined)
    throw conflict('Another canned reply has this shortcut', { field: 'shortcut', _id: other._id })
}
