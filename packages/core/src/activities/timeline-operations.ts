import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { listOf } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import { timelineEntry, timelineKinds } from './activity.ts'

const { limit, cursor } = pageQuery(20)

export const listTimeline = defineOperation({
  id: 'conversations.timeline',
  method: 'GET',
  path: '/api/v1/conversations/{id}/timeline',
  auth: sessionOrKey('read:conversations'),
  summary: 'List the messages and the changes of a conversation together, newest first',
  description:
    'Changes are kept from the version on that has timelines. The page after this one is read with `cursor` alone.',
  request: {
    params: byId('conversation'),
    query: z.object({
      order: z.enum(['asc', 'desc']).default('desc').describe('`asc`: oldest first; `desc`: newest first.'),
      kind: z.enum(timelineKinds).optional().describe('Only entries of this kind.'),
      limit,
      cursor,
    }),
  },
  status: 200,
  response: listOf(timelineEntry),
})
