import { describe, expect, it } from 'vitest'
import {
  conversationChangedEvents,
  conversationCreatedEvents,
  isReopenedByInbound,
  newConversation,
  reopenedConversation,
  updatedConversation,
} from './conversation-rules.ts'

const now = '2026-11-21T09:30:00.000Z'
const later = '2026-11-21T10:00:00.000Z'
const tomorrow = '2026-11-22T09:30:00.000Z'
const open = newConversation({ subject: 'Help', inboxId: 'inb_1' }, { id: 'con_1', tenantId: 'ten_1', now })
const closed = updatedConversation(open, { status: 'closed' }, now).conversation
const snoozed = updatedConversation(open, { status: 'snoozed', snoozedUntil: tomorrow }, now).conversation

function nextEventIds(): () => string {
  let count = 0
  return () => `evt_${++count}`
}

describe('a new conversation', () => {
  it('is open, of medium priority, by e-mail, from the API', () => {
    expect(open).toMatchObject({
      status: 'open',
      priority: 'medium',
      channel: 'email',
      source: 'api',
      assignedTo: null,
      messageCount: 0,
      readAt: { customer: null, agent: null },
    })
  })

  it('emits an event, and a second one for its assignee', () => {
    const types = (assignedTo: string | null) =>
      conversationCreatedEvents({
        conversation: { ...open, assignedTo },
        customer: null,
        nextEventId: nextEventIds(),
        now,
      }).map(({ type }) => type)
    expect(types(null)).toEqual(['conversation.created'])
    expect(types('usr_1')).toEqual(['conversation.created', 'conversation.assigned'])
  })
})

describe('a change of status', () => {
  it.each(['open', 'pending', 'closed', 'snoozed'] as const)(
    'may lead from %s to any status [state.conversation]',
    (from) => {
      const before = { open, closed, snoozed, pending: { ...open, status: 'pending' as const } }[from]
      for (const status of ['open', 'pending', 'closed', 'snoozed'] as const) {
        expect(updatedConversation(before, { status }, later).conversation.status).toBe(status)
      }
    },
  )

  it('keeps the time of the first closing, and clears it when it opens again', () => {
    expect(closed.closedAt).toBe(now)
    expect(
      updatedConversation(closed, { status: 'closed', priority: 'low' }, later).conversation.closedAt,
    ).toBe(now)
    expect(updatedConversation(closed, { status: 'open' }, later).conversation.closedAt).toBeNull()
  })

  it('keeps a wake-up time only while snoozed', () => {
    expect(snoozed).toMatchObject({ snoozedUntil: tomorrow, wakeOnReply: true })
    expect(updatedConversation(snoozed, { subject: 'New' }, later).conversation.snoozedUntil).toBe(tomorrow)
    const stubborn = updatedConversation(snoozed, { wakeOnReply: false }, later).conversation
    expect(stubborn.wakeOnReply).toBe(false)
    expect(updatedConversation(stubborn, { status: 'open' }, later).conversation).toMatchObject({
      snoozedUntil: null,
      wakeOnReply: true,
    })
  })

  it('accepts a snooze without an end', () => {
    expect(updatedConversation(open, { status: 'snoozed' }, now).conversation.snoozedUntil).toBeNull()
    expect(updatedConversation(snoozed, { snoozedUntil: null }, now).conversation.snoozedUntil).toBeNull()
  })

  it.each([
    [{ snoozedUntil: tomorrow }, 'status'],
    [{ wakeOnReply: false }, 'status'],
    [{ status: 'open' as const, snoozedUntil: tomorrow }, 'status'],
    [{ status: 'snoozed' as const, snoozedUntil: now }, 'future'],
  ])('refuses %j on an open conversation', (body, rule) => {
    expect(() => updatedConversation(open, body, now)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ rule })] }),
    )
  })

  it('accepts null in snooze fields in any status', () => {
    expect(updatedConversation(open, { snoozedUntil: null, wakeOnReply: null }, now).changes).toEqual({})
  })
})

describe('an inbound message', () => {
  it('opens a closed, pending or snoozed conversation, unless wakeOnReply is false', () => {
    expect(isReopenedByInbound(open)).toBe(false)
    expect(isReopenedByInbound(closed)).toBe(true)
    expect(isReopenedByInbound({ ...open, status: 'pending' })).toBe(true)
    expect(isReopenedByInbound(snoozed)).toBe(true)
    expect(isReopenedByInbound({ ...snoozed, wakeOnReply: false })).toBe(false)
  })

  it('clears the fields of the state before', () => {
    const { conversation, changes } = reopenedConversation(snoozed, later)
    expect(conversation).toMatchObject({
      status: 'open',
      snoozedUntil: null,
      wakeOnReply: true,
      closedAt: null,
    })
    expect(changes).toMatchObject({ status: { from: 'snoozed', to: 'open' } })
  })
})

describe('events of a change', () => {
  const eventsOf = (body: Parameters<typeof updatedConversation>[1], before = open) => {
    const { conversation, changes } = updatedConversation(before, body, later)
    const parts = { conversation, customer: null, nextEventId: nextEventIds(), now: later }
    return conversationChangedEvents(parts, changes)
  }
  const typesOf = (...args: Parameters<typeof eventsOf>) => eventsOf(...args).map(({ type }) => type)

  it('are none when nothing changed', () => {
    expect(eventsOf({})).toEqual([])
    expect(eventsOf({ subject: 'Help', labels: [] })).toEqual([])
  })

  it('are updated, then assigned, then closed', () => {
    expect(typesOf({ assignedTo: 'usr_1', status: 'closed' })).toEqual([
      'conversation.updated',
      'conversation.assigned',
      'conversation.closed',
    ])
    expect(typesOf({ assignedTo: null }, { ...open, assignedTo: 'usr_1' })).toContain('conversation.assigned')
    expect(typesOf({ priority: 'high' }, closed)).toEqual(['conversation.updated'])
  })

  it('carry the changes once, and list their subjects', () => {
    const [updated, assigned] = eventsOf({ assignedTo: 'usr_1' }, { ...open, customerId: 'cus_1' })
    expect(JSON.parse(updated?.body ?? '').changes).toEqual({ assignedTo: { from: null, to: 'usr_1' } })
    expect(JSON.parse(assigned?.body ?? '')).not.toHaveProperty('changes')
    expect(updated?.subjects).toEqual(['con_1', 'cus_1', 'usr_1'])
  })

  it('are about the customer before too, whose words may stand in them', () => {
    const [updated] = eventsOf({ customerId: null, subject: 'Lamp' }, { ...open, customerId: 'cus_1' })
    expect(updated?.subjects).toEqual(['con_1', 'cus_1'])
  })
})
