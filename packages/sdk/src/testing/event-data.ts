import type { CrmEvent, EventType, MessageEventData } from '../resources/events.gen.ts'
import { nextId, type Overrides } from './overrides.ts'
import { makeConversation, makeCustomer, makeMessage } from './samples.gen.ts'

type DataOf<Type extends EventType> = Extract<CrmEvent, { event: Type }>['data']

const at = '2026-01-01T00:00:00.000Z'
/** A customer has asked, and nobody has answered yet. */
const asked = { lastMessageAt: at, lastCustomerMessageAt: at, waitingSince: at }
const question = { senderType: 'customer', direction: 'inbound', files: 0 } as const

/** Without the words of its last message and the unread ones of a user, which events of conversations do not have. */
export function makeConversationEventData(): DataOf<'conversation.created'> {
  const {
    unread: _unread,
    lastMessage,
    ...row
  } = makeConversation({
    ...asked,
    priority: 'medium',
    source: 'api',
    wakeOnReply: true,
    lastMessage: question,
  })
  const { preview: _preview, ...last } = { preview: null, ...lastMessage }
  return { ...row, lastMessage: last, customerId: makeCustomer() } as DataOf<'conversation.created'>
}

export function makeMessageEventData(): MessageEventData {
  const { _id, subject, status, channel, assignedTo, inboxId, seq } = makeConversation()
  const { _id: customerId, profile } = makeCustomer()
  const message = makeMessage({
    conversationId: _id,
    status: 'sent',
    email: null,
    draftedBy: null,
    choice: null,
  })
  const lastMessage = {
    ...question,
    ...{ _id: message._id, type: 'reply' as const, at, preview: message.content },
  }
  return {
    ...message,
    conversation: {
      ...{ _id, subject, status, priority: 'medium', channel, assignedTo, inboxId, seq },
      ...{ ...asked, lastMessage },
    },
    customer: { _id: customerId, profile },
  }
}

/** The customer has written before. */
const known = { customerId: { lastContactAt: at } }

const byUser = () => ({ type: 'user', _id: nextId('usr'), name: 'Ada Lovelace' }) as const
const reply = () =>
  ({
    direction: 'outbound',
    sender: byUser(),
    via: 'none',
    conversation: { waitingSince: null, lastMessage: { direction: 'outbound', senderType: 'user' } },
  }) as const

/** The facts of a type of event, beyond those that all types with such data have in common. */
export const eventFacts: { readonly [Type in EventType]?: () => Overrides<DataOf<Type>> } = {
  'conversation.updated': () => known,
  'conversation.assigned': () => ({ ...known, assignedTo: nextId('usr') }),
  'conversation.closed': () => ({ ...known, status: 'closed', closedAt: at, waitingSince: null }),
  'conversation.merged': () => ({ ...known, mergedFrom: [nextId('con')] }),
  'conversation.unmerged': () => known,
  'message.received': () => ({ sender: { type: 'customer', _id: nextId('cus'), name: 'Ada Lovelace' } }),
  'message.sent': reply,
  'message.updated': () => ({ ...reply(), status: 'delivered' }),
  'note.created': () => ({
    type: 'note',
    direction: 'internal',
    sender: byUser(),
    conversation: { lastMessage: { preview: null } },
  }),
  'user.created': () => ({ role: 'agent', availability: 'offline' }),
  'user.updated': () => ({ role: 'agent' }),
  'call.ringing': () => ({ status: 'ringing', startedAt: at }),
  'call.answered': () => ({ status: 'answered', startedAt: at, answeredAt: at }),
  'call.completed': () => ({ status: 'completed', startedAt: at, answeredAt: at, endedAt: at }),
  'call.failed': () => ({ status: 'failed', startedAt: at, endedAt: at }),
  'call.recording.available': () => ({
    status: 'completed',
    startedAt: at,
    answeredAt: at,
    endedAt: at,
    recording: { available: true },
  }),
}
