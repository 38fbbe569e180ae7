import { z } from 'zod'
import { defineOperation, none, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply, successFlag } from '../contract/envelopes.ts'
import { firstChoicesAreOffered } from '../messages/message-choices.ts'
import { firstMessageNeedsWordsOrFiles, firstNoteIsNotInbound } from '../messages/message-rules.ts'
import { byId } from '../shared/common-fields.ts'
import { labelList } from '../shared/labels.ts'
import { pageQuery, queryArray, queryBoolean } from '../shared/page.ts'
import { type ReferenceKind, referenceTo } from '../shared/reference.ts'
import { moment, optionalLines } from '../shared/text.ts'
import { changeConversationsBody, changedConversationRow, changesSomething } from './change-conversations.ts'
import {
  conversation,
  createConversationBody,
  mergeConversationBody,
  updateConversationBody,
} from './conversation.ts'
import { conversationCounts, countedViews } from './conversation-counts.ts'
import { channels, conversationStatuses, priorities } from './conversation-values.ts'
import { conversationLook, lookParts } from './look.ts'
import { presenceReply, setPresenceBody } from './presence.ts'
import { readState } from './read-state.ts'
import { replyRecipients } from './reply-recipients.ts'

export const conversationSorts = [
  'createdAt',
  '-createdAt',
  'updatedAt',
  '-updatedAt',
  'priority',
  'lastMessageAt',
  '-lastMessageAt',
  'waiting',
] as const
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
    '`status` takes several values. `assignedTo=none` finds the unassigned, and `assignedTo=me` those of the signed-in user. `search` covers subjects, messages, and the customer: the name, and with `read:customers` the e-mail and the phone.',
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
        .describe('Terms that must all occur in the subject, in one message, or in the customer.'),
      updatedSince: moment.optional().describe('Only conversations that changed at or after this time.'),
      createdSince: moment.optional().describe('Only conversations that began at or after this time.'),
      createdUntil: moment.optional().describe('Only conversations that began at or before this time.'),
      waiting: queryBoolean
        .optional()
        .describe('`true`: only conversations whose customer waits for a reply; `false`: only the others.'),
      sort: z
        .enum(conversationSorts)
        .default('-updatedAt')
        .describe(
          'Order of the rows; `-` means descending. `waiting`: the longest wait first, then those in which nobody waits, by their last message.',
        ),
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
  request: {
    params,
    query: z.object({
      include: queryArray(z.enum(lookParts))
        .optional()
        .describe(
          'Read in the same request, beside `data`. A part that the credential may not read is null.',
        ),
    }),
  },
  status: 200,
  response: conversationLook,
  beside: {
    method: 'look',
    summary: 'Get one conversation with its messages, its drafts and the recipients of a reply',
    asks: 'include',
    member: 'included',
  },
})

export const createConversation = defineOperation({
  id: 'conversations.create',
  method: 'POST',
  path,
  auth: sessionOrKey('write:conversations'),
  audit: none('daily work of the team: the event conversation.created says it'),
  summary: 'Create a conversation, optionally with its first message',
  request: { body: createConversationBody },
  rules: [firstNoteIsNotInbound, firstMessageNeedsWordsOrFiles, firstChoicesAreOffered],
  status: 201,
  response: dataOf(conversation),
  emits: [
    'conversation.created',
    'conversation.assigned',
    'message.sent',
    'message.received',
    'note.created',
    'mention.created',
  ],
})

export const updateConversation = defineOperation({
  id: 'conversations.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:conversations'),
  audit: none('daily work of the team: the event conversation.updated says it'),
  summary: 'Update a conversation: status, assignee, snooze and more',
  description:
    'The status `snoozed` takes `snoozedUntil` (in the future, or null: until the next inbound message) and `wakeOnReply`.',
  request: { params, body: updateConversationBody },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated', 'conversation.assigned', 'conversation.closed'],
})

export const changeConversations = defineOperation({
  id: 'conversations.updateMany',
  method: 'POST',
  path: `${path}/bulk`,
  auth: sessionOrKey('write:conversations'),
  audit: none('daily work of the team: an event names each conversation'),
  summary: 'Change up to 100 conversations at once, with a result for each',
  description:
    'Each conversation changes as `PUT /api/v1/conversations/{id}` changes it; one that fails leaves the others. Ten at a time are stored: when a request is cut off, a repeat finds those of before `unchanged`.',
  request: { body: changeConversationsBody },
  rules: [changesSomething],
  status: 200,
  response: z.object({
    success: successFlag,
    data: z.array(changedConversationRow).describe('The results, in the order of the ids.'),
  }),
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
  audit: none('daily work of the team: the event conversation.updated says it'),
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
  audit: none('daily work of the team: the event conversation.updated says it'),
  summary: 'Remove labels from a conversation, without regard to case',
  request: { params, body: labelsBody },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated'],
})

export const countConversations = defineOperation({
  id: 'conversations.counts',
  method: 'GET',
  path: `${path}/counts`,
  auth: session('viewer'),
  summary: 'Count the conversations of each view, and those that the signed-in user has not read',
  description: `The views are ${countedViews.map((view) => `\`${view}\``).join(', ')} and the ids of the inboxes. A stream of events with \`live=true\` sends every change of these counts.`,
  request: {
    query: z.object({
      view: queryArray(referenceTo('inbox', z.string().max(128)))
        .optional()
        .describe('Only these views: names, and ids of inboxes. Default: all.'),
    }),
  },
  status: 200,
  response: dataOf(conversationCounts),
  isOutsidePlan: true,
  limit: { name: 'counts', requests: 60, windowSeconds: 60, per: 'credential' },
})

export const listReplyRecipients = defineOperation({
  id: 'conversations.recipients',
  method: 'GET',
  path: `${path}/{id}/recipients`,
  auth: sessionOrKey('read:conversations'),
  summary: 'Show how the next reply leaves, and who gets it by e-mail when it names no recipients',
  description:
    'The last mail of somebody who takes part decides, so a new mail may change it. Without read:customers the addresses are null. `door` is what `via` of a message says that is stored now.',
  request: { params },
  status: 200,
  response: dataOf(replyRecipients),
  isOutsidePlan: true,
})

export const setPresence = defineOperation({
  id: 'conversations.setPresence',
  method: 'PUT',
  path: `${path}/{id}/presence`,
  auth: session('viewer'),
  audit: none(
    'a presence is announced and not stored, and the read state of a user concerns this user alone',
  ),
  summary: 'Show colleagues that you view a conversation, reply to it, or have left it',
  description:
    'Returns the other users who are there. It holds as long as the session has a stream of events with `live=true`, else for 15 seconds, and for the 10 conversations that the session named last. It is not stored. `readSeq` also marks as read, as `POST …/read` does.',
  request: { params, body: setPresenceBody },
  status: 200,
  response: presenceReply,
  beside: {
    method: 'setPresenceAndRead',
    summary: 'Show colleagues that you view a conversation, and mark it as read',
    asks: 'readSeq',
    member: 'read',
  },
  isOutsidePlan: true,
})

export const readConversation = defineOperation({
  id: 'conversations.read',
  method: 'POST',
  path: `${path}/{id}/read`,
  auth: session('viewer'),
  audit: none('the read state of a user concerns this user alone'),
  summary: 'Mark a conversation as read by the signed-in user',
  description:
    'It raises the mark and never lowers it. Nothing about the conversation changes but `readAt.agent`, when nobody of the team has read it before.',
  request: {
    params,
    body: z
      .strictObject({
        seq: z
          .int()
          .min(0)
          .nullable()
          .optional()
          .describe('`seq` up to which the user has read. Default, and the most: that of the conversation.'),
      })
      .meta({ id: 'ReadConversation', description: 'How far a conversation was read.' }),
  },
  status: 200,
  response: dataOf(readState),
  isOutsidePlan: true,
})

export const unreadConversation = defineOperation({
  id: 'conversations.unread',
  method: 'POST',
  path: `${path}/{id}/unread`,
  auth: session('viewer'),
  audit: none('the read state of a user concerns this user alone'),
  summary: 'Mark a message of a conversation, and the newer ones, as unread by the signed-in user',
  description: 'A message behind the newest 100 leaves these unread.',
  request: {
    params,
    body: z
      .strictObject({
        messageId: referenceTo('message')
          .nullable()
          .optional()
          .describe('Id of the oldest unread message. Default: the newest one by somebody else.'),
      })
      .meta({ id: 'UnreadConversation', description: 'The message from which a conversation is unread.' }),
  },
  status: 200,
  response: dataOf(readState),
  isOutsidePlan: true,
})

export const mergeConversations = defineOperation({
  id: 'conversations.merge',
  method: 'POST',
  path: `${path}/{id}/merge`,
  auth: sessionOrKey('write:conversations'),
  audit: 'conversation.merged',
  summary: 'Merge another conversation of the same customer into this one',
  description:
    'The source is closed and in no list any more. Messages and timeline of this conversation show those of both in one order, and later mail to the source arrives here. This conversation gets the labels of the source. 409 `CONFLICT` when they are not of one customer; 409 `INVALID_STATE` when one of them is merged already, belongs to the chat widget or was imported, when 20 were merged into this one, and while a draft of the source waits to be sent.',
  request: { params, body: mergeConversationBody },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated', 'conversation.closed', 'conversation.merged'],
})

export const unmergeConversation = defineOperation({
  id: 'conversations.unmerge',
  method: 'POST',
  path: `${path}/{id}/unmerge`,
  auth: sessionOrKey('write:conversations'),
  audit: 'conversation.unmerged',
  summary: 'Take back the merge of this conversation into another one',
  description:
    'The id is that of the source. It has its former state again, and the other conversation loses the labels that the merge added. Messages that were written since stay there. 409 `INVALID_STATE` for a conversation that is not merged.',
  request: { params },
  status: 200,
  response: dataOf(conversation),
  emits: ['conversation.updated', 'conversation.unmerged'],
})
