import { hash } from 'node:crypto'
import { normalizeEmail } from '@crmkit/core'
import type { MailTags } from '../addresses/mail-tags.ts'

export const stopLinkPrefix = '/widget/stop/'
const pattern = /^(ten_[0-9A-Z]{26})\/(con_[0-9A-Z]{26})\/([0-9a-f]{32})\.([a-z2-7]{16})$/

/** Returns a mark of an address by which rows and links name it without showing it. */
export function addressMark(address: string): string {
  return hash('sha256', normalizeEmail(address), 'hex').slice(0, 32)
}

interface StoppedMail {
  tenantId: string
  conversationId: string
  /** `addressMark` of the address. */
  mark: string
}

/** Returns the link by which an address ends the mail about a conversation. It is good for nothing else. */
export function stopLinkOf({
  tags,
  baseUrl,
  tenantId,
  conversationId,
  mark,
}: StoppedMail & { tags: MailTags; baseUrl: string }): string {
  const path = `${tenantId}/${conversationId}/${mark}.${tags.stopTag(conversationId, mark)}`
  return `${baseUrl.replace(/\/$/, '')}${stopLinkPrefix}${path}`
}

/** Returns what a path behind the prefix names; undefined when it has not the form of a link. Nothing of it is checked. */
export function parseStopLink(path: string): (StoppedMail & { tag: string }) | undefined {
  const [, tenantId, conversationId, mark, tag] = pattern.exec(path) ?? []
  if (tenantId === undefined || conversationId === undefined || mark === undefined || tag === undefined)
    return undefined
  return { tenantId, conversationId, mark, tag }
}
