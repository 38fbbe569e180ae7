import type { MessageEventData } from '../resources/events.gen.ts'
import { makeConversation, makeCustomer, makeMessage } from './samples.gen.ts'

export function makeMessageEventData(): MessageEventData {
  const { _id, subject, status, priority, channel, assignedTo, inboxId, seq, ...row } = makeConversation()
  const { lastMessageAt, lastMessage, lastCustomerMessageAt, waitingSince } = row
  const facts = { lastMessageAt, lastMessage, lastCustomerMessageAt, waitingSince }
  const { _id: customerId, profile } = makeCustomer()
  return {
    ...makeMessage({ conversationId: _id }),
    conversation: { _id, subject, status, priority, channel, assignedTo, inboxId, seq, ...facts },
    customer: { _id: customerId, profile },
  }
}
