import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf } from '../contract/envelopes.ts'
import { queryArray, queryInteger } from '../shared/page.ts'
import { searchGroups, searchResults } from './search.ts'

/** In characters, without the blanks around the text. */
export const searchLengthMax = 200
export const searchGroupLimitMax = 20

export const searchEverything = defineOperation({
  id: 'search.find',
  method: 'GET',
  path: '/api/v1/search',
  auth: sessionOrKey('read:conversations'),
  summary: 'Search customers, conversations and messages at once',
  description: [
    'Conversations of every status are found. All words must occur in one place: in the customer, in the subject, or in one message.',
    'Operators narrow the search: `from:` (name or e-mail of the customer), `in:` (inbox), `is:` (`open`, `pending`, `snoozed`, `closed`, `unread`, `unassigned`, `waiting`), `label:`, `assigned:` (`me`, `none`, an id or a name), `has:file`, `before:` and `after:` (a day or a time).',
    'Quotes hold blanks together: `label:"Big deal"`. The same operator twice means either, different ones mean both; an unknown one is text.',
    'There are no totals and no further pages. Each group stops after a quarter of a second with what it has, and says so in `isPartial`.',
  ].join(' '),
  request: {
    query: z.object({
      q: z.string().trim().min(1).max(searchLengthMax).describe('Words and operators.'),
      types: queryArray(z.enum(searchGroups), { min: 1 })
        .optional()
        .describe(
          'Only these groups. Default: all that the credential may read; `customers` needs `read:customers`.',
        ),
      limit: queryInteger({ min: 1, max: searchGroupLimitMax }).default(5).describe('Rows in each group.'),
    }),
  },
  status: 200,
  response: dataOf(searchResults),
  // People search while they type, so it is no call of a plan.
  isOutsidePlan: true,
  limit: { name: 'search', requests: 120, windowSeconds: 60, per: 'credential' },
})
