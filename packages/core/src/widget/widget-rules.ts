import type { Attachment } from '../attachments/attachment.ts'
import type { Conversation, CreateConversationBody } from '../conversations/conversation.ts'
import { newConversation } from '../conversations/conversation-rules.ts'
import type { NewResource } from '../shared/common-fields.ts'
import type { CreateWidgetConversationBody } from './widget.ts'

const subjectOfMessageLength = 80

/** Returns the first line of a message, as the subject of a conversation that has none. */
function subjectOf(message: string): string {
  const line = message.trimStart().split('\n', 1)[0] ?? ''
  // A cut through a pair of surrogates would leave half a character.
  return [...line.replaceAll('\t', ' ').trim()].slice(0, subjectOfMessageLength).join('').trim()
}

interface BegunConversation extends NewResource {
  inboxId: string
  customerId: string
  assignedTo: string | null
  page: string | null
  files: readonly Pick<Attachment, 'filename'>[]
}

/** The conversation that a visitor of the chat widget begins. */
export function newWidgetConversation(
  body: CreateWidgetConversationBody,
  { inboxId, customerId, assignedTo, page, files, ...making }: BegunConversation,
): Conversation {
  const subject = body.subject ?? subjectOf(body.message || (files[0]?.filename ?? ''))
  const given: CreateConversationBody = { subject, inboxId, customerId, assignedTo, channel: 'chat' }
  return { ...newConversation(given, making), source: 'widget', page }
}

/** The name of a visitor who has not given any. */
export const visitorName = 'Visitor'

/** Words behind a comma that are no first name. */
const suffix =
  /^(?:jr|sr|i{2,3}|iv|md|phd|dr|prof|esq|mba|inc|llc|ltd|gmbh|ag|se|co|corp|plc|kg|ohg|bv|sa|srl|oy|ab)\b\.?/i

/** Returns first and last name of a whole name, which splits at its first blank, or at the comma of `Müller, Anna`. */
export function splitName(name: string): { firstName: string; lastName: string | null } {
  const plain = name
    .trim()
    .replace(/^(['"])(.*)\1$/s, '$2')
    .trim()
  const [last = '', first = '', ...more] = plain.split(',').map((part) => part.trim())
  const isLastFirst = more.length === 0 && last !== '' && first !== '' && !suffix.test(first)
  const [firstName = '', ...rest] = isLastFirst ? [first, last] : plain.split(/\s+/)
  const lastName = rest.join(' ')
  return { firstName: firstName.slice(0, 100), lastName: lastName === '' ? null : lastName.slice(0, 100) }
}
