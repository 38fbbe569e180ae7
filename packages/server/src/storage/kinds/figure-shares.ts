import { defineKind } from './define-kind.ts'
import { because, json, moment, nullableText, type RowOf, tenantRow, text } from './fields.ts'

/** Hours are in UTC, as `2026-01-31T09`. */
export interface ShareOfFigures {
  createdHour: string
  /** Null: it is not closed. */
  closedHour: string | null
  /** The bucket of the time to the first response; null: without one. */
  bucket: number | null
  channel: string
  /** Empty: nobody. */
  agent: string
  inbox: string
  labels: readonly string[]
}

const sample: ShareOfFigures = {
  createdHour: '2026-01-31T09',
  closedHour: null,
  bucket: 12,
  channel: 'email',
  agent: 'usr_1',
  inbox: 'inb_1',
  labels: [],
}

const fields = {
  ...tenantRow,
  /** The id of the conversation. */
  _id: text('id'),
  customerId: nullableText('id'),
  share: because('times, and ids and labels that the conversation has', json('internal', sample)),
  expiresAt: moment('internal'),
}

/**
 * Everything that the figures hold of one conversation, so that a change or a deletion takes it back. It outlives an erased
 * conversation until the figures are without it, which is a matter of seconds.
 */
export type FigureShare = RowOf<typeof fields>

export const figureShares = defineKind('figureShares', {
  idPrefix: null,
  fields,
  list: {
    filters: { customerId: { matches: 'customerId', index: 'customer', onlySet: true } },
    orders: { expiresAt: { by: 'expiresAt', isDescending: false } },
    needsOneOf: ['customerId'],
  },
  erasure: { rows: 'kept', why: 'The figures give it back within minutes, and it goes with that.' },
  quota: { unlimited: 'at most one for each conversation, whose number is limited' },
  retention: { endsAt: 'expiresAt' },
})
