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
}

/** The conversation that a visitor of the chat widget begins. */
export function newWidgetConversation(
  body: CreateWidgetConversationBody,
  { inboxId, customerId, assignedTo, page, ...making }: BegunConversation,
): Conversation {
  const subject = body.subject ?? subjectOf(body.message)
  const given: CreateConversationBody = { subject, inboxId, customerId, assignedTo, channel: 'chat' }
  return { ...newConversation(given, making), source: 'widget', page }
}

/** The name of a visitor who has not given any. */
export const visitorName = 'Visitor'

/** Returns first and last name of a signed `name`, which splits at its first blank. */
export function splitName(name: string): { firstName: string; lastName: string | null } {
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  const lastName = rest.join(' ')
  return { firstName: firstName.slice(0, 100), lastName: lastName === '' ? null : lastName.slice(0, 100) }
}
