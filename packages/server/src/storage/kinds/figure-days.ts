import { defineKind } from './define-kind.ts'
import { because, json, moment, type RowOf, tenantRow, text, word } from './fields.ts'

/** The values by which conversations are counted. The totals are the sums over all channels. */
export const figureGroupings = ['channel', 'agent', 'label', 'inbox'] as const
export type FigureGrouping = (typeof figureGroupings)[number]

/** The figures of one value in one hour: created, closed, and first responses by bucket. The value comes first, then the hour (0–23). */
export type FigureCell = readonly [
  key: string,
  hour: number,
  created: number,
  closed: number,
  responses: Readonly<Record<string, number>>,
]

const fields = {
  ...tenantRow,
  /** The grouping and the day. */
  _id: text('internal'),
  grouping: word<FigureGrouping>('internal'),
  /** A day in UTC, as `2026-01-31`. */
  day: because('a day', text('internal')),
  cells: because(
    'counts by channels, ids and labels',
    json<readonly FigureCell[]>('internal', [['email', 9, 1, 0, { 12: 1 }]]),
  ),
  expiresAt: moment('internal'),
}

/** Figures of the conversations of one day, hour by hour. */
export type FigureDay = RowOf<typeof fields>

export const figureDays = defineKind('figureDays', {
  idPrefix: null,
  fields,
  list: {
    filters: {
      grouping: { matches: 'grouping' },
      since: { since: 'day' },
      until: { until: 'day' },
    },
    orders: { day: { by: 'day', isDescending: false } },
    needsOneOf: ['grouping'],
  },
  erasure: { rows: 'kept', why: 'Counts, which fall when a conversation or a user is erased.' },
  quota: { unlimited: 'four for each day with conversations, for two years' },
  retention: { endsAt: 'expiresAt' },
})
