import { hash } from 'node:crypto'

/* External ids of customers, for every storage adapter alike. */

/**
 * Returns the label by which lists find a row with this external id. No tag begins with a control character, and a
 * digest stays the same when labels are folded.
 */
export function externalIdLabel(externalId: string): string {
  return `\u0001${hash('sha256', externalId, 'hex')}`
}

/** Returns the id of the row that gives an external id to one customer of the tenant. */
export function externalLinkId(externalId: string): string {
  return hash('sha256', externalId, 'base64url')
}
