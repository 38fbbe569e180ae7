import { hash } from 'node:crypto'

/* The chat widget's ids and times, for every storage adapter alike. */

const dayMs = 24 * 3600 * 1000
/** An anonymous session lasts so long after its last use. */
export const anonymousSessionMs = 30 * dayMs
/** A signed session lasts so long after its sign-in. */
export const signedSessionMs = dayMs
/** A repeated request finds its message for so long. */
export const sendKeptMs = 30 * dayMs

/** Returns the id of the row of a person, whom the tenant knows by `sub`. */
export function widgetPersonId({ inboxId, sub }: { inboxId: string; sub: string }): string {
  return hash('sha256', JSON.stringify([inboxId, sub]), 'base64url')
}

/** Returns the id of the row that remembers the message of a `clientMessageId`. */
export function widgetSendId(of: { visitorId: string; clientMessageId: string }): string {
  return hash('sha256', JSON.stringify([of.visitorId, of.clientMessageId]), 'base64url')
}
