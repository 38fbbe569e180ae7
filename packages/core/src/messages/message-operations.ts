import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf } from '../contract/envelopes.ts'
import { pageQuery } from '../shared/page.ts'
import { message, newMessageBody } from './message.ts'
import { noteIsNotInbound } from './message-rules.ts'

const byId = z.object({ id: z.string() })

export const listMessages = defineOperation({
  id: 'messages.list',
  method: 'GET',
  path: '/api/v1/conversations/{id}/messages',
  auth: sessionOrKey('read:conversations'),
  summary: 'List the messages of a conversation, oldest first',
  request: {
    params: byId,
    query: z.object({ order: z.enum(['asc', 'desc']).default('asc'), ...pageQuery(50) }),
  },
  status: 200,
  response: listOf(message),
})

export const createMessage = defineOperation({
  id: 'messages.create',
  method: 'POST',
  path: '/api/v1/conversations/{id}/messages',
  auth: sessionOrKey('write:conversations'),
  summary: 'Reply in a conversation, note something in it, or record an inbound message',
  description:
    'An inbound message opens a closed, pending or snoozed conversation again. ' +
    'The same `clientMessageId` in one conversation answers the first message with status 200.',
  request: { params: byId, body: newMessageBody },
  rules: [noteIsNotInbound],
  status: 201,
  response: dataOf(message),
  emits: ['message.sent', 'message.received', 'conversation.updated'],
})

export const getMessage = defineOperation({
  id: 'messages.get',
  method: 'GET',
  path: '/api/v1/messages/{id}',
  auth: sessionOrKey('read:conversations'),
  summary: 'Get one message',
  request: { params: byId },
  status: 200,
  response: dataOf(message),
})

export const updateMessage = defineOperation({
  id: 'messages.update',
  method: 'PUT',
  path: '/api/v1/messages/{id}',
  auth: sessionOrKey('write:conversations'),
  summary: 'Report how far a message has come; it only moves forwards',
  request: {
    params: byId,
    body: z
      .strictObject({ status: z.enum(['delivered', 'read', 'failed']).optional() })
      .meta({ id: 'UpdateMessage' }),
  },
  status: 200,
  response: dataOf(message),
})
