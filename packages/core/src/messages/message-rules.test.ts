import { expect, it } from 'vitest'
import { newConversation } from '../conversations/conversation-rules.ts'
import { newCustomer } from '../customers/customer-rules.ts'
import type { NewMessageBody } from './message.ts'
import { assertMessageStatusMove, messageEvent, newMessage } from './message-rules.ts'

const now = '2026-11-21T09:30:00.000Z'
const { customer } = newCustomer(
  { company: 'Acme' },
  { id: 'cus_1', tenantId: 'ten_1', now, eventId: 'evt_0' },
)
const conversation = {
  ...newConversation({ subject: 'Help', inboxId: 'inb_1' }, { id: 'con_1', tenantId: 'ten_1', now }),
  customerId: 'cus_1',
}
const author = { type: 'user', _id: 'usr_1', name: 'Ada' } as const
const make = (body: Partial<NewMessageBody> = {}) =>
  newMessage({ content: 'Hello', ...body }, { id: 'msg_1', conversation, customer, author, now })
const eventOf = (body: Partial<NewMessageBody>, isAuthorRestricted = false) =>
  messageEvent({
    message: make(body),
    conversation,
    customer,
    isAuthorRestricted,
    nextEventId: () => 'evt_1',
    now,
  })

it('makes an outbound reply in plain text by its author', () => {
  expect(make()).toMatchObject({
    type: 'reply',
    direction: 'outbound',
    contentType: 'text',
    status: 'sent',
    sender: author,
  })
})

it('makes an inbound message of the customer, with any name that the customer has', () => {
  expect(make({ direction: 'inbound' }).sender).toEqual({ type: 'customer', _id: 'cus_1', name: 'Acme' })
})

it('keeps a note internal for any requested direction, and reports it as a note', () => {
  expect(make({ type: 'note', direction: 'inbound' })).toMatchObject({
    direction: 'internal',
    sender: author,
  })
  expect(eventOf({ type: 'note' }).type).toBe('note.created')
})

it('emits message.sent for a reply and message.received for an inbound message', () => {
  expect(eventOf({}).type).toBe('message.sent')
  const received = eventOf({ direction: 'inbound' })
  expect(received.type).toBe('message.received')
  expect(received.subjects).toEqual(['msg_1', 'con_1', 'cus_1'])
  expect(JSON.parse(received.body).data).toMatchObject({
    conversation: { _id: 'con_1' },
    customer: { _id: 'cus_1' },
  })
})

it('moves a message’s status only forwards', () => {
  const steps = ['queued', 'sent', 'delivered', 'read'] as const
  for (const [i, from] of steps.entries()) {
    for (const [j, to] of steps.entries()) {
      const move = () => assertMessageStatusMove(from, to)
      if (j >= i) expect(move).not.toThrow()
      else expect(move, `${from} to ${to}`).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }))
    }
  }
  expect(() => assertMessageStatusMove('delivered', 'failed')).toThrow()
  expect(() => assertMessageStatusMove('failed', 'sent')).toThrow()
  expect(() => assertMessageStatusMove('failed', 'failed')).not.toThrow()
})

it('names the sender in an event by id only while they restrict the processing of their data', () => {
  const senderOf = (body: Partial<NewMessageBody>, isRestricted: boolean) =>
    JSON.parse(eventOf(body, isRestricted)?.body ?? '{}').data.sender
  expect(senderOf({}, false)).toEqual(author)
  expect(senderOf({}, true)).toEqual({ type: 'user', _id: 'usr_1', name: null })
  expect(senderOf({ direction: 'inbound' }, true)).toMatchObject({ type: 'customer', name: 'Acme' })
})
