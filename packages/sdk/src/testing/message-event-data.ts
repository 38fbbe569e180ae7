import type { MessageEventData } from '../resources/events.gen.ts'
import { makeConversation, makeCustomer, makeMessage } from './samples.gen.ts'

export function makeMessageEventData(): MessageEventData {
  const { _id, subject, status, priority, channel, assignedTo, inboxId, seq } = makeConversation()
  const { _id: customerId, profile } = makeCustomer()
  return {
    ...makeMessage({ conversationId: _id }),
    conversation: { _id, subject, status, priority, channel, assignedTo, inboxId, seq },
    customer: { _id: customerId, profile },
  }
}
