import { z } from 'zod'
import { anyOf, defineOperation } from '../contract/define-operation.ts'
import { successFlag } from '../contract/envelopes.ts'
import { ownId } from '../shared/common-fields.ts'
import { jsonValue, storedCustomFields } from '../shared/custom-fields.ts'
import { queryArray, queryBoolean, queryInteger } from '../shared/page.ts'
import { pageSizeMax } from '../shared/page-limits.ts'
import { referenceTo } from '../shared/reference.ts'
import { eventTypes } from './event-types.ts'
import { eventPermissions } from './event-visibility.ts'
import { liveEventTypes } from './live-event-types.ts'

const path = '/api/v1/events'
const auth = anyOf(...eventPermissions)

/** The positions in the log that have a name. */
export const namedPositions = ['earliest', 'latest'] as const

const after = referenceTo(
  'position',
  z
    .string()
    .max(512)
    .describe(
      'Position in the log after which to start: a `nextCursor`, `earliest` (the oldest stored event) or `latest` (the end of the log).',
    ),
)
const types = queryArray(z.enum(eventTypes)).describe(
  'Only events of these types, as far as the credential may see them.',
)

export const loggedEvent = z
  .object({
    id: ownId('event'),
    event: z.enum(eventTypes).describe('Event type.'),
    timestamp: z.iso.datetime().describe('Time of the event.'),
    // The service made this JSON itself: parsing it again for every response would cost more than reading the row.
    data: storedCustomFields.describe('The resource after the event.'),
    changes: z
      .record(
        z.string(),
        z.object({
          from: jsonValue.describe('Value before the event.'),
          to: jsonValue.describe('Value after the event.'),
        }),
      )
      .optional()
      .describe('Each changed field by its path, for events about a change.'),
  })
  .meta({
    id: 'LoggedEvent',
    description:
      'An event as webhooks receive it. After the erasure of its subject, `data` is `{_id, erased: true}` and `changes` is absent; about a restricted user it is `{_id, tenantId, processingRestricted}`, without `changes` too.',
  })

export const listEvents = defineOperation({
  id: 'events.list',
  method: 'GET',
  path,
  auth,
  summary: 'List the events of the last 30 days, oldest first',
  description:
    'Conversation, message and call events need `read:conversations` and `read:customers`, customer events `read:customers`, user events `webhook:manage`. Events without these permissions are left out. `nextCursor` is always present: send it as `after` to continue without a gap.',
  request: {
    query: z.object({
      after: after.optional(),
      types: types.optional(),
      limit: queryInteger({ min: 1, max: pageSizeMax }).default(20).describe('Events per page.'),
    }),
  },
  status: 200,
  response: z.object({
    success: successFlag,
    data: z.array(loggedEvent).describe('Events of this page.'),
    pagination: z
      .object({
        limit: z.int().describe('Events per page.'),
        nextCursor: z.string().describe('Position after this page, for `after`.'),
      })
      .describe('Position of the page in the log.'),
  }),
})

export const streamEvents = defineOperation({
  id: 'events.stream',
  method: 'GET',
  path: `${path}/stream`,
  auth,
  summary: 'Stream new events as server-sent events',
  description:
    'The stream starts at the end of the log unless `after` or the header `Last-Event-ID` names a position. Each message has `id` (the position), `event` (the type) and `data` (the bytes that webhooks receive). A credential can have at most 5 streams, an address at most 500. A stream may end at any time: reconnect with `Last-Event-ID` to continue without a gap. With `live=true`, for signed-in users alone, it also sends live events: `event` (the type) and `data` (`{event, timestamp, data}`), without an `id`. They are stored nowhere, and a reader that does not keep up misses some of them, but no other event.',
  request: {
    query: z.object({
      after: after.optional(),
      types: queryArray(z.enum([...eventTypes, ...liveEventTypes]))
        .optional()
        .describe(
          'Only events of these types, as far as the credential may see them. Live types need `live=true`.',
        ),
      live: queryBoolean.optional().describe('Whether to send live events too. API keys get 403.'),
    }),
  },
  status: 200,
  response: loggedEvent,
  isStream: true,
})
