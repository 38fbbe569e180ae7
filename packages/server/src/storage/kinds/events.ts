import type { DomainEvent } from '@crmkit/core'
import { defineOwnKind } from './define-kind.ts'
import { json, moment, nullableNumber, number, tenantRow, text, word } from './fields.ts'

export interface EventRecord extends DomainEvent {
  tenantId: string
}

export const events = defineOwnKind<EventRecord & { position: number | null }>()('events', {
  why: 'An event is written with the pending attempts that it calls for, gets a position in one order, and is read by it.',
  fields: {
    ...tenantRow,
    type: word('plain'),
    timestamp: moment('plain'),
    subjects: json('id'),
    body: text('both'),
    /** Null: its position is still to be given. */
    position: nullableNumber('internal'),
  },
  erasure: { rows: 'redacted' },
})

/** The highest position that was given to an event, which may be removed since: it is never given again. */
export const eventSequence = defineOwnKind<{ _id: 'log'; given: number }>()('eventSequence', {
  why: 'One counter of the whole server.',
  fields: { _id: text('internal'), given: number('internal') },
  erasure: { rows: 'kept' },
})
