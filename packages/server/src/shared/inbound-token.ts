import { hash, randomInt } from 'node:crypto'
import type { SystemStore } from '../ports/system-store.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
export const inboundTokenPattern = /^imt_[0-9A-Za-z]{32}$/

/** Makes a token of an inbound address: whoever knows it can put mail into the inbox, and nothing else. */
export function newInboundToken(): string {
  return `imt_${Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')}`
}

/** Returns the hash by which the inbox of a token is found. */
export function inboundTokenHash(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Returns the inbox whose inbound address has the token with this hash, or had it before. */
export async function findInboxByToken({ across }: Pick<SystemStore, 'across'>, tokenHash: string) {
  return (await across.inboundTokens.find(tokenHash)) ?? across.previousInboundTokens.find(tokenHash)
}
