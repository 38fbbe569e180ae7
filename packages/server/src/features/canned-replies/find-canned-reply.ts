import { type CannedReply, Failure, isRoleAtLeast, notFound } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { wholeTeam } from '../../storage/kinds/canned-replies.ts'
import type { Stored } from '../../storage/records.ts'
import type { Actor } from '../caller.ts'

export type CannedReplyRow = Stored<CannedReply>

/** Returns whose canned replies the caller sees. */
export function audiencesOf(actor: Actor): string[] {
  return actor.type === 'user' ? [wholeTeam, actor._id] : [wholeTeam]
}

/** Returns a canned reply that the caller sees. Throws NOT_FOUND for one of somebody else alone. */
export async function getCannedReplyRow(
  store: TenantReads,
  actor: Actor,
  id: string,
): Promise<CannedReplyRow> {
  const row = await store.cannedReplies.find(id)
  if (row === undefined || !(row.isShared || isOwner(actor, row))) throw notFound()
  return row
}

function isOwner(actor: Actor, { ownerId }: CannedReply): boolean {
  return actor.type === 'user' && ownerId === actor._id
}

/** Throws PERMISSION_DENIED unless the caller may take a reply from the team. */
export function assertMayTake(actor: Actor, reply: CannedReply): void {
  if (isOwner(actor, reply) || (actor.type === 'user' && isRoleAtLeast(actor.role, 'admin'))) return
  throw new Failure('PERMISSION_DENIED', 'Only its owner or an admin can take a reply from the team', {
    extra: { required: 'admin', granted: actor.type === 'user' ? actor.role : 'API key' },
  })
}
