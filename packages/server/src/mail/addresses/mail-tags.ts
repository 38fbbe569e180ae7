import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * The signed parts of a tenant's addresses and Message-IDs. A mail joins a conversation by them alone, so nobody who
 * has not received a mail of the tenant can make one up.
 */
export interface MailTags {
  /** Returns the part behind the `+` of a signed address: `<reference>.<mac>`, in lower case. */
  addressTag(conversationId: string): string
  /** Returns the conversation of a tag, read in any case; undefined for one that this tenant did not sign. */
  conversationOf(tag: string): string | undefined
  /** Returns the part of a Message-ID before the `@`: `<message id>.<mac>`. */
  messageIdTag(messageId: string): string
  /** Returns the message of a tag, read in any case; undefined for one that this tenant did not sign. */
  messageOf(tag: string): string | undefined
  /** Returns the value of X-Loop in the mail of an inbox. A mail that brings it back to the inbox is in a loop. */
  loopMark(inboxId: string): string
  /** Returns the token for events of the provider of an inbox, with its number. */
  eventsToken(inbox: { _id: string; tenantId: string }, number: number): string
  /** Returns whether a text is that token. */
  isEventsToken(token: string, inbox: { _id: string; tenantId: string }, number: number): boolean
  /** Returns the signature of a link to a file of a mail, which ends at a moment (seconds since 1970). */
  linkTag(attachmentId: string, endsAtSeconds: number): string
  /** Returns whether this tenant has signed that link. */
  isLinkTag(tag: string, attachmentId: string, endsAtSeconds: number): boolean
  /** Returns the signature of the link by which an address (`addressMark`) ends the mail about a conversation. */
  stopTag(conversationId: string, mark: string): string
  /** Returns whether this tenant has signed that link. */
  isStopTag(tag: string, conversationId: string, mark: string): boolean
}

/** 256 random bits, as text to seal. */
export const mailKeyBytes = 32
/** 80 bits are 16 characters of base32: a guess by mail is hopeless, and an address has only 64 characters. */
const macBytes = 10
const macLength = 16
const base32 = 'abcdefghijklmnopqrstuvwxyz234567'
const conversationPrefix = 'con_'

export function createMailTags(keyBytes: Buffer): MailTags {
  const key = createSecretKey(keyBytes)
  return {
    addressTag: (conversationId) =>
      `${referenceOf(conversationId)}.${macOf(key, `address:${conversationId}`)}`,
    conversationOf: (tag) => {
      const [reference, mac] = partsOf(tag)
      const conversationId = `${conversationPrefix}${reference.toUpperCase()}`
      return isSame(mac.toLowerCase(), macOf(key, `address:${conversationId}`)) ? conversationId : undefined
    },
    messageIdTag: (messageId) => `${messageId}.${macOf(key, `message-id:${messageId}`)}`,
    messageOf: (tag) => {
      const [named, mac] = partsOf(tag)
      const messageId = named.replace(/^(msg_)(.*)$/is, (_, prefix: string, reference: string) => {
        return prefix.toLowerCase() + reference.toUpperCase()
      })
      return isSame(mac.toLowerCase(), macOf(key, `message-id:${messageId}`)) ? messageId : undefined
    },
    loopMark: (inboxId) => `${inboxId}.${macOf(key, `loop:${inboxId}`)}`,
    eventsToken: (inbox, number) => eventsTokenOf(key, inbox, number),
    isEventsToken: (token, inbox, number) => isSame(token, eventsTokenOf(key, inbox, number)),
    linkTag: (attachmentId, endsAt) => macOf(key, `link:${attachmentId}:${endsAt}`),
    isLinkTag: (tag, attachmentId, endsAt) => isSame(tag, macOf(key, `link:${attachmentId}:${endsAt}`)),
    stopTag: (conversationId, mark) => macOf(key, `stop:${conversationId}:${mark}`),
    isStopTag: (tag, conversationId, mark) => isSame(tag, macOf(key, `stop:${conversationId}:${mark}`)),
  }
}

const tenantPrefix = 'ten_'
/** With `reply+` and the tag they make the 64 characters that a local part may have. */
const tenantLength = 14
/** The characters of a ULID, the signature behind it, and the beginning of the tenant's id. */
const tagPattern = /^(([0-9a-hjkmnp-tv-z]{26})\.[a-z2-7]{16})(?:\.([0-9a-hjkmnp-tv-z]{14}))?$/i

/**
 * Returns the part behind the `+` of an address that all tenants share: the tag, and the beginning of the tenant's id, by
 * which its key is found without a look at other tenants.
 */
export function sharedTag(tag: string, tenantId: string): string {
  return `${tag}.${tenantId.slice(tenantPrefix.length, tenantPrefix.length + tenantLength).toLowerCase()}`
}

export interface NamedByTag {
  /** Without the tenant. */
  tag: string
  conversationId: string
  /** The beginning of the id of the tenant; undefined in an address of an inbox. */
  tenantIdStart: string | undefined
}

/** Returns what a tag names, whoever signed it; undefined for a text that cannot be one. */
export function readTag(text: string): NamedByTag | undefined {
  const [, tag, reference, tenant] = tagPattern.exec(text) ?? []
  if (tag === undefined || reference === undefined) return undefined
  const conversationId = `${conversationPrefix}${reference.toUpperCase()}`
  return { tag, conversationId, tenantIdStart: tenant && `${tenantPrefix}${tenant.toUpperCase()}` }
}

/** Amazon SES takes no dot in a value, so that `-` stands for it. */
const refPattern = /^(msg_[0-9a-hjkmnp-tv-z]{26})[.-]([a-z2-7]{16})(?:[.-]([0-9a-hjkmnp-tv-z]{14}))?$/i

/**
 * Returns what the value in a mail names that providers repeat in their events, `sharedTag` of the tag of its Message-ID, whoever
 * signed it; undefined for a text that cannot be one.
 */
export function readRef(text: string): { tag: string; tenantIdStart: string | undefined } | undefined {
  const [, messageId, mac, tenant] = refPattern.exec(text) ?? []
  if (messageId === undefined) return undefined
  return { tag: `${messageId}.${mac}`, tenantIdStart: tenant && `${tenantPrefix}${tenant.toUpperCase()}` }
}

const inboxPrefix = 'inb_'
const eventsTokenPattern = /^pev_([0-9a-hjkmnp-tv-z]{14})([0-9a-hjkmnp-tv-z]{26})[a-z2-7]{16}$/

/** It names the tenant and the inbox, so that both are found without a look at others. */
function eventsTokenOf(key: KeyObject, { _id, tenantId }: { _id: string; tenantId: string }, number: number) {
  const tenant = tenantId.slice(tenantPrefix.length, tenantPrefix.length + tenantLength)
  const named = `${tenant}${_id.slice(inboxPrefix.length)}`.toLowerCase()
  return `pev_${named}${macOf(key, `events:${_id}:${number}`)}`
}

/** Returns what a token for events names, whoever signed it; undefined for a text that cannot be one. */
export function readEventsToken(text: string): { inboxId: string; tenantIdStart: string } | undefined {
  const [, tenant, inbox] = eventsTokenPattern.exec(text) ?? []
  if (tenant === undefined || inbox === undefined) return undefined
  return {
    inboxId: `${inboxPrefix}${inbox.toUpperCase()}`,
    tenantIdStart: `${tenantPrefix}${tenant.toUpperCase()}`,
  }
}

/** Mail systems may change the case of an address. The ids of conversations are ULIDs, which have one case only. */
function referenceOf(conversationId: string): string {
  return conversationId.slice(conversationPrefix.length).toLowerCase()
}

function partsOf(tag: string): [name: string, mac: string] {
  const dot = tag.lastIndexOf('.')
  return [tag.slice(0, Math.max(dot, 0)), tag.slice(dot + 1)]
}

function macOf(key: KeyObject, text: string): string {
  const bytes = createHmac('sha256', key).update(text).digest().subarray(0, macBytes)
  let bits = 0n
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte)
  return Array.from({ length: macLength }, (_, index) => {
    const shift = BigInt(5 * (macLength - 1 - index))
    return base32[Number((bits >> shift) & 31n)]
  }).join('')
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
