import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { firstNoteIsNotInbound } from '../messages/message-rules.ts'
import { labelList } from '../shared/labels.ts'
import { pageQuery, queryArray } from '../shared/page.ts'
import { type ReferenceKind, referenceTo } from '../shared/reference.ts'
import { moment, optionalLines } from '../shared/text.ts'
import {
  conversation,
  createConversationBody,
  populatedConversation,
  updateConversationBody,
} from './conversation.ts'
import { channels, conversationStatuses, priorities } from './conversation-values.ts'

export const conversationSorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'priority'] as const
export type ConversationSort = (typeof conversationSorts)[number]

const path = '/api/v1/conversations'
const byId = z.object({ id: z.string() })
const labelsBody = z.strictObject({ labels: labelList.min(1) }).meta({ id: 'Labels' })
const idOf = (kind: ReferenceKind) => referenceTo(kind, z.string().min(1).max(128))

export const listConversations = defineOperation({
  id: 'conversations.list',
  method: 'GET',
  path,
  auth: sessionOrKey('read:conversations'),
  summary: 'List conversations, latest change first',
  description:
    '`status` takes several values. `assignedTo=none` finds the unassigned. `search` looks into subjects and messages.',
  request: {
    query: z.object({
      status: queryArray(z.enum(conversationStatuses)).optional(),
      priority: z.enum(priorities).optional(),
      channel: z.enum(channels).optional(),
      assignedTo: idOf('user').optional(),
      inboxId: idOf('inbox').optional(),
      customerId: idOf('customer').optional(),
      label: z.string().max(64).optional(),
      search: z.string().max(200).optional(),
      updatedSince: moment.optional(),
      sort: z.enum(conversationSorts).default('-updatedAt'),
      ...pageQuery(50),
    }),
  },
  status: 200,
  response: listOf(conversation),
})

export const getConversation = defineOperation({
  id: 'conversations.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth: sessionOrKey('read:conversations'),
  summary: 'Get one conversation with its customer and its assignee',
  description: 'A credential without `read:customers` sees only the customer’s id and name.',
  request: { params: byId },
  status: 200,
  response: dataOf(populatedConversation),
})

export const createConversation = defineOperation({
  id: 'conversations.create',
  method: 'POST',
  path,
  auth: sessionOrKey('write:conversations'),
  summary: 'Start a conversation, if wanted with its first message',
  request: { body: createConversationBody },
  rules: [firstNoteIsNotInbound],
  status: 201,
  response: dataOf(conversation),
  emits: ['conversation.created', 'conversation.assigned', 'message.sent', 'message.received'],
})

export const updateConversation = defineOperation({
  id: 'conversations.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:conversations'),
  summary: 'Change a conversation: status, assignee, snooze and more',
  description:
    '`snoozed` takes `snoozedUntil` (in the future, or null: until the next inbound message) and `wakeOnReply`.',
  request: { params: byId, body: updateConversationBody },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated', 'conversation.assigned', 'conversation.closed'],
})

export const deleteConversation = defineOperation({
  id: 'conversations.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:conversations'),
  summary: 'Permanently remove a conversation with all its messages and their files',
  request: {
    params: byId,
    body: z.strictObject({ reason: optionalLines(1000) }).meta({ id: 'DeleteConversation' }),
  },
  status: 200,
  response: messageReply,
  emits: ['conversation.deleted'],
})

export const addConversationLabels = defineOperation({
  id: 'conversations.addLabels',
  method: 'POST',
  path: `${path}/{id}/labels`,
  auth: sessionOrKey('write:conversations'),
  summary: 'Add labels to a conversation',
  request: { params: byId, body: labelsBody },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated'],
})

export const removeConversationLabels = defineOperation({
  id: 'conversations.removeLabels',
  method: 'DELETE',
  path: `${path}/{id}/labels`,
  auth: sessionOrKey('write:conversations'),
  summary: 'Remove labels from a conversation; case does not matter',
  request: { params: byId, body: labelsBody },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated'],
})
