import { z } from 'zod'
import { defineOperation, session } from '../contract/define-operation.ts'
import { listOf } from '../contract/envelopes.ts'
import { pageQuery, queryArray, queryBoolean } from '../shared/page.ts'
import { mention, mentionIncludes } from './mention.ts'

export const listOwnMentions = defineOperation({
  id: 'users.listMentions',
  method: 'GET',
  path: '/api/v1/users/me/mentions',
  auth: session('viewer'),
  summary: 'List the notes that mention the signed-in user, newest first',
  description: 'A mention is read when its user has read the conversation up to the note.',
  request: {
    query: z.object({
      ...pageQuery(20),
      unread: queryBoolean
        .optional()
        .describe('True: only mentions that are not read; false: only the others.'),
      include: queryArray(z.enum(mentionIncludes))
        .optional()
        .describe('`note`: the text of each note and the subject of its conversation.'),
    }),
  },
  status: 200,
  response: listOf(mention),
})
