import type { DraftAuthor } from '@crmkit/core'
import { nameOfUser } from '../../shared/name-of-user.ts'
import type { Actor } from '../caller.ts'

/**
 * Returns the caller as the sender of a message or the author of a draft. The name stays with the message when the user or the key is
 * deleted. A customer may read it, so a key has a name for that.
 */
export function authorOf(actor: Actor): DraftAuthor {
  if (actor.type === 'apiKey')
    return { type: 'api', _id: actor._id, name: actor.apiKey.displayName ?? actor.apiKey.name }
  return { type: 'user', _id: actor._id, name: nameOfUser(actor.user) ?? actor.user.email }
}

/** Whether the caller is a user who has restricted the processing of their data. */
export function isRestricted(actor: Actor): boolean {
  return actor.type === 'user' && actor.user.processingRestricted
}
