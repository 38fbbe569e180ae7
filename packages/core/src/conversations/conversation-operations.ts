import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { firstNoteIsNotInbound } from '../messages/message-rules.ts'
import { byId } from '../shared/common-fields.ts'
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
const params = byId('conversation')
const labelsBody = z
  .strictObject({ labels: labelList.min(1).describe('Labels to add or to remove.') })
  .meta({ id: 'Labels', description: 'A list of labels.' })
const idOf = (kind: ReferenceKind) => referenceTo(kind, z.string().min(1).max(128))

export const listConversations = defineOperation({
  id: 'conversations.list',
  method: 'GET',
  path,
  auth: sessionOrKey('read:conversations'),
  summary: 'List conversations, latest change first',
  description:
    '`status` takes several values. `assignedTo=none` finds the unassigned, and `assignedTo=me` those of the signed-in user. `search` covers subjects and messages.',
  request: {
    query: z.object({
      status: queryArray(z.enum(conversationStatuses))
        .optional()
        .describe('Only conversations in one of these states.'),
      priority: z.enum(priorities).optional().describe('Only conversations of this priority.'),
      channel: z.enum(channels).optional().describe('Only conversations of this channel.'),
      assignedTo: idOf('user')
        .optional()
        .describe(
          'Only conversations of this user; `me` is the signed-in user, `none` finds the unassigned.',
        ),
      inboxId: idOf('inbox').optional().describe('Only conversations of this inbox.'),
      customerId: idOf('customer').optional().describe('Only conversations of this customer.'),
      label: z.string().max(64).optional().describe('Only conversations with this label.'),
      search: z
        .string()
        .max(200)
        .optional()
        .describe('Terms that must all occur in the subject or in one message.'),
      updatedSince: moment.optional().describe('Only conversations that changed at or after this time.'),
      sort: z
        .enum(conversationSorts)
        .default('-updatedAt')
        .describe('Order of the rows; `-` means descending.'),
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
  description: 'A credential without `read:customers` sees only the id and the name of the customer.',
  request: { params },
  status: 200,
  response: dataOf(populatedConversation),
})

export const createConversation = defineOperation({
  id: 'conversations.create',
  method: 'POST',
  path,
  auth: sessionOrKey('write:conversations'),
  audit: 'none',
  summary: 'Create a conversation, optionally with its first message',
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
  audit: 'none',
  summary: 'Update a conversation: status, assignee, snooze and more',
  description:
    'The status `snoozed` takes `snoozedUntil` (in the future, or null: until the next inbound message) and `wakeOnReply`.',
  request: { params, body: updateConversationBody },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated', 'conversation.assigned', 'conversation.closed'],
})

export const deleteConversation = defineOperation({
  id: 'conversations.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:conversations'),
  audit: 'conversation.deleted',
  summary: 'Permanently delete a conversation with all its messages and their files',
  request: {
    params,
    body: z
      .strictObject({ reason: optionalLines(1000).describe('Reason for the audit log.') })
      .meta({ id: 'DeleteConversation', description: 'The reason of a deletion.' }),
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
  audit: 'none',
  summary: 'Add labels to a conversation',
  request: { params, body: labelsBody },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated'],
})

export const removeConversationLabels = defineOperation({
  id: 'conversations.removeLabels',
  method: 'DELETE',
  path: `${path}/{id}/labels`,
  auth: sessionOrKey('write:conversations'),
  audit: 'none',
  summary: 'Remove labels from a conversation, without regard to case',
  request: { params, body: labelsBody },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated'],
})
