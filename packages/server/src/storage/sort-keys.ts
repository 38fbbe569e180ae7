import type { Conversation, PrivacyRequest } from '@crmkit/core'
import { foldCase, isOpenRequest, mailRawDays, priorities, shownWaitingSince } from '@crmkit/core/vocabulary'
import type { AttachmentRecord } from './kinds/attachments.ts'
import type { Session } from './kinds/sessions.ts'

/* Keys by which lists are sorted and due rows are found, for every storage adapter alike. */

const lastNameKeyLengthMax = 60
/** Sorts after every letter: people without a last name come last. */
const withoutLastName = '\u{10ffff}'

/** Short, because it travels in cursors. */
export function lastNameKey(lastName: string | null): string {
  if (lastName === null) return withoutLastName
  return [...foldCase(lastName.toWellFormed())].slice(0, lastNameKeyLengthMax).join('')
}

export function priorityRank(priority: string): number {
  return (priorities as readonly string[]).indexOf(priority)
}

/** Returns when a session is not needed any more: at its end, or when it expires. */
export function sessionOverAt({ endedAt, expiresAt }: Session): string {
  return endedAt !== null && endedAt < expiresAt ? endedAt : expiresAt
}

/** Longer than any upload may take; a visitor attaches a file in a shorter time. */
const uploadKeepMs = 3600 * 1000
const unusedKeepMs = 24 * 3600 * 1000
const mailKeepMs = mailRawDays * 24 * 3600 * 1000

/**
 * Returns when an attachment may be removed (erased, never finished, or never used); null for one that a message or a draft has.
 */
export function attachmentDueAt(row: AttachmentRecord): string | null {
  if (row.erasedAt !== null) return row.erasedAt
  if (row.inboundMailId !== undefined && row.state === 'stored') return dueAfter(row, mailKeepMs)
  if (row.messageId !== null || (row.draftId ?? null) !== null) return null
  if (row.integrationId !== undefined && row.state === 'stored') return row.keptUntil ?? null
  const isBrief = row.state === 'uploading' || row.widgetSessionId !== undefined
  const keepMs = isBrief ? uploadKeepMs : unusedKeepMs
  return dueAfter(row, keepMs)
}

function dueAfter({ createdAt }: AttachmentRecord, keepMs: number): string {
  return new Date(Date.parse(createdAt) + keepMs).toISOString()
}

/** When a snoozed conversation is to be woken; null for any other. */
export function snoozeDueAt({ status, snoozedUntil }: Conversation): string | null {
  return status === 'snoozed' ? snoozedUntil : null
}

/** Sorts open requests before all others, and among them the one that is due first. */
export function dueOrder(request: PrivacyRequest): string {
  return `${isOpenRequest(request) ? 'open' : 'past'} ${request.dueAt}`
}

/** A user has at most one open deletion request. */
export function openDeletionOf(request: PrivacyRequest): string | null {
  return request.type === 'deletion' && isOpenRequest(request) ? request.userId : null
}

const phoneTailLength = 8
/** Some countries have numbers of five digits, written without the code of the country. */
const phoneDigitsMin = 5

/** Returns the last digits of a phone number, by which candidates for a whole number are found; null when it is too short. */
export function phoneTail(phone: string | null): string | null {
  const digits = (phone ?? '').replace(/[^0-9]/g, '')
  return digits.length < phoneDigitsMin ? null : digits.slice(-phoneTailLength)
}

/** Returns when a row last changed here: an imported row says in `updatedAt` when it changed at its source. */
export function changedAt(row: { updatedAt: string; importedAt?: string }): string {
  return row.importedAt !== undefined && row.importedAt > row.updatedAt ? row.importedAt : row.updatedAt
}

/** Returns when somebody last wrote to the customer or the customer did; a conversation without a message has begun then. */
export function lastActivity({ lastMessageAt, createdAt }: Conversation): string {
  return lastMessageAt ?? createdAt
}

const afterAllTimes = 1e14
/** The keys of conversations in which somebody waits are less. */
export const waitingKeySplit = afterAllTimes / 2

/** Sorts conversations in which somebody waits first, the longest wait first, then the others by their last message. */
export function waitingKey(conversation: Conversation): number {
  const since = shownWaitingSince(conversation)
  return since === null ? afterAllTimes - Date.parse(lastActivity(conversation)) : Date.parse(since)
}
