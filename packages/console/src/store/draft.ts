import type { Attachment, Draft as StoredDraft } from '@crmkit/sdk'

const contentTypes = ['text', 'markdown', 'html'] as const

/** A text that is not sent yet. */
export interface Draft {
  readonly type: 'reply' | 'note'
  readonly content: string
  readonly contentType: (typeof contentTypes)[number]
  readonly attachments: readonly Attachment[]
  /** Addresses. Empty: those that the service chooses. */
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
}

export const emptyDraft: Draft = {
  type: 'reply',
  content: '',
  contentType: 'text',
  attachments: [],
  to: [],
  cc: [],
  bcc: [],
}

/** Anything with the fields of a draft, as the draft that the composer shows. */
export function draftOf(draft: Pick<StoredDraft, keyof Draft> | Draft): Draft {
  const { type, content, contentType, attachments, to, cc, bcc } = draft
  return {
    type: type === 'note' ? 'note' : 'reply',
    content,
    contentType: contentTypes.find((known) => known === contentType) ?? 'text',
    attachments,
    to,
    cc,
    bcc,
  }
}

/** Recipients alone are no draft: they come back with the conversation. */
export function isEmpty({ content, attachments }: Draft): boolean {
  return content === '' && attachments.length === 0
}

export function isSame(a: Draft, b: Draft): boolean {
  return JSON.stringify(bodyOf(a)) === JSON.stringify(bodyOf(b))
}

/** The fields as a request for a draft or a message takes them. A note has no recipients: the service refuses them. */
export function bodyOf(draft: Draft) {
  const { type, content, contentType, attachments, to, cc, bcc } = draft
  const named = (list: readonly string[]) => (type === 'note' || list.length === 0 ? undefined : [...list])
  return {
    type,
    content,
    contentType,
    attachments: attachments.map(({ _id }) => _id),
    to: named(to),
    cc: named(cc),
    bcc: named(bcc),
  }
}
