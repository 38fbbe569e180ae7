import { z } from 'zod'
import { anyOf, defineOperation } from '../contract/define-operation.ts'
import { jsonValue, storedCustomFields } from '../shared/custom-fields.ts'
import { queryArray, queryInteger } from '../shared/page.ts'
import { pageSizeMax } from '../shared/page-limits.ts'
import { referenceTo } from '../shared/reference.ts'
import { eventTypes } from './event-types.ts'
import { eventPermissions } from './event-visibility.ts'

const path = '/api/v1/events'
const auth = anyOf(...eventPermissions)

/** Places in the log that have a name. */
export const namedPositions = ['earliest', 'latest'] as const

const after = referenceTo(
  'position',
  z.string().max(512).meta({
    description:
      'A position that the log has given out: what is shown begins behind it. Or `earliest`, the oldest event that is kept, or `latest`, the end of the log.',
  }),
)
const types = queryArray(z.enum(eventTypes)).meta({
  description: 'Only these types, of those that the credential may see.',
})

export const loggedEvent = z
  .object({
    id: z.string(),
    event: z.enum(eventTypes),
    timestamp: z.iso.datetime(),
    // Made by this service: going through it again for every answer would cost more than reading the row.
    data: storedCustomFields,
    changes: z.record(z.string(), z.object({ from: jsonValue, to: jsonValue })).optional(),
  })
  .meta({
    id: 'LoggedEvent',
    description:
      'What webhooks get. Once its subject was erased, `data` is `{_id, erased: true}` and `changes` is gone.',
  })

export const listEvents = defineOperation({
  id: 'events.list',
  method: 'GET',
  path,
  auth,
  summary: 'List the events of the last 30 days, oldest first',
  description:
    'Conversation, message and call events need `read:conversations` and `read:customers`, customer events `read:customers`, user events `webhook:manage`; others are left out. `nextCursor` is always given: with it as `after` the next call goes on, and misses none.',
  request: {
    query: z.object({
      after: after.optional(),
      types: types.optional(),
      limit: queryInteger({ min: 1, max: pageSizeMax }).default(20),
    }),
  },
  status: 200,
  response: z.object({
    success: z.literal(true),
    data: z.array(loggedEvent),
    pagination: z.object({ limit: z.int(), nextCursor: z.string() }),
  }),
})

export const streamEvents = defineOperation({
  id: 'events.stream',
  method: 'GET',
  path: `${path}/stream`,
  auth,
  summary: 'Follow the events as they happen, as server-sent events',
  description:
    'Begins at the end of the log unless `after` or the header `Last-Event-ID` names a position. Each message has `id` (the position), `event` (the type) and `data` (the bytes that webhooks get). At most 5 streams for each credential. A stream may end at any time: go on with `Last-Event-ID`, and none is missed.',
  request: { query: z.object({ after: after.optional(), types: types.optional() }) },
  status: 200,
  response: loggedEvent,
  isStream: true,
})
