import { validationFailure } from '@crmkit/core'
import type { HandlerContext } from './handler.ts'

/** Returns the id of a user that a query names: `me` is the signed-in user. Throws VALIDATION_ERROR for `me` of an API key. */
export function userIdOf(
  { actor }: Pick<HandlerContext, 'actor'>,
  { field, value }: { field: string; value: string | undefined },
): string | undefined {
  if (value !== 'me') return value
  if (actor.type === 'user') return actor._id
  const message = 'must be the id of a user, because an API key is none'
  throw validationFailure([{ field, message, rule: 'range', in: 'query' }])
}
