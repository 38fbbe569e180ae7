import type { View, ViewFilter } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import { because, flag, json, nullableReference, number, tenantRow, text, times, word } from './fields.ts'

/** A view as it is stored. The people whom its filter names stand beside it, where they are found when they leave. */
export interface ViewRecord extends Omit<View, 'filter'> {
  filter: Omit<ViewFilter, 'customerId' | 'assignedTo'>
  customerId: string | null
  /** The id of a user, `me` or `none`. */
  assignedTo: string | null
  /** Its place among the views of its audience. Two views never share one, so requests that meet exceed no limit. */
  slot: number
}

/** The audience of the views that the whole team has; that of the others is their owner. */
export const teamOfViews = 'team'

/** A saved list of conversations, of the team or of one user. */
export const views = defineKindOf<ViewRecord>()('views', {
  idPrefix: 'viw',
  fields: {
    ...tenantRow,
    name: because('a name that the team gives to a list', text('plain')),
    // Its search is a text that its user has typed.
    filter: json('user', { status: ['open'], search: 'lamp' }),
    customerId: nullableReference('customers'),
    assignedTo: nullableReference('users'),
    sort: word('plain'),
    isShared: flag('plain'),
    ownerId: nullableReference('users'),
    slot: number('internal'),
    ...times,
  },
  computed: {
    audience: computed.text(({ isShared, ownerId }: ViewRecord) =>
      isShared ? teamOfViews : (ownerId ?? teamOfViews),
    ),
  },
  released: { customers: 'customerId' },
  unique: { slot: ['audience', 'slot'] },
  list: {
    filters: {
      audience: { matches: 'audience' },
      ownerId: { matches: 'ownerId', index: 'owner', onlySet: true },
      customerId: { matches: 'customerId', index: 'customer', onlySet: true },
      assignedTo: { matches: 'assignedTo', index: 'assignee', onlySet: true },
    },
    orders: { name: { by: 'name', isDescending: false } },
    needsOneOf: ['audience', 'ownerId', 'customerId', 'assignedTo'],
  },
  erasure: {
    rows: 'kept',
    why: 'A filter with words that somebody typed; it loses the id of an erased customer.',
  },
  quota: { rows: 100_000 },
  retention: 'permanent',
})
