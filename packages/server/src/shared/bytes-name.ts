import { hash } from 'node:crypto'

/** Ids of this service, which differ also on a file system that ignores case. */
export const plainId = /^[a-z]{3}_[0-9A-Z]{26}$/

/** A name that `bytesNameOf` makes. */
export const bytesName = /^(?:[a-z]{3}_[0-9A-Z]{26}|x[0-9a-f]{64})$/

/** Returns a name of a file or an object for a tenant or an id. A text that is no id is hashed: it may hold `..` or a separator, or be too long. */
export function bytesNameOf(text: string): string {
  return plainId.test(text) ? text : `x${hash('sha256', JSON.stringify(text))}`
}
