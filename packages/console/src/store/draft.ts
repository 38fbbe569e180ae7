import type { Attachment, Draft as StoredDraft } from '@crmkit/sdk'

const contentTypes = ['text', 'markdown', 'html'] as const

/** A text that is not sent yet. */
export interface Draft {
  readonly type: 'reply' | 'note'
  readonly content: string
  readonly contentType: (typeof contentTypes)[number]
  readonly attachments: readonly Attachment[]
  /** Addresses. Empty: those that stand beside the field, which the service suggests. */
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

/** Returns the draft with the words and the files of another one behind its own. */
export function withBehind(draft: Draft, taken: Draft): Draft {
  if (isEmpty(draft)) return taken
  const content = [draft.content, taken.content].filter((text) => text !== '').join('\n\n')
  return { ...draft, content, attachments: [...draft.attachments, ...taken.attachments] }
}

/** Whether nothing of the draft can be sent. Files alone are a message. */
export function isBlank({ content, attachments }: Draft): boolean {
  return content.trim() === '' && attachments.length === 0
}

/** Whether the service has the draft of this window. Recipients that this window has not named are those that it filled in. */
export function isSame(stored: Draft, own: Draft): boolean {
  const { to, cc, bcc } = hasRecipients(own) ? stored : own
  return JSON.stringify(bodyOf({ ...stored, to, cc, bcc })) === JSON.stringify(bodyOf(own))
}

export type Recipients = Pick<Draft, 'to' | 'cc'>

export function hasRecipients({ to, cc, bcc }: Draft): boolean {
  return to.length + cc.length + bcc.length > 0
}

/** Returns the draft with the recipients that stand beside it, where it names none. */
export function addressed(draft: Draft, shown: Recipients | undefined): Draft {
  if (shown === undefined || draft.type === 'note' || draft.to.length > 0) return draft
  return { ...draft, to: shown.to, cc: draft.cc.length > 0 ? draft.cc : shown.cc }
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
