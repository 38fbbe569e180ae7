import { z } from 'zod'
import { attachment, attachmentBytesMax } from '../attachments/attachment.ts'
import { defineOperation, none, publicWidget, widgetVisitor } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply, successFlag } from '../contract/envelopes.ts'
import { choiceOr } from '../messages/message-choices.ts'
import { needsWordsOrFiles } from '../messages/message-rules.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery, queryInteger } from '../shared/page.ts'
import { pageSizeMax } from '../shared/page-limits.ts'
import { referenceTo } from '../shared/reference.ts'
import {
  createWidgetConversationBody,
  createWidgetMessageBody,
  createWidgetSessionBody,
  currentWidgetSession,
  updateWidgetSessionBody,
  widgetConfig,
  widgetConversation,
  widgetConversationWithMessage,
  widgetEvent,
  widgetFormat,
  widgetKey,
  widgetMessage,
  widgetRatingBody,
  widgetSession,
  widgetTypingBody,
} from './widget.ts'

const path = '/api/v1/widget'
const params = byId('conversation')
/** Conversations count too: each holds a message. */
const messageLimit = { name: 'widgetMessages', requests: 30, windowSeconds: 60, per: 'credential' } as const
const hourSeconds = 3_600

export const getWidgetConfig = defineOperation({
  id: 'widget.config',
  method: 'GET',
  path: `${path}/config`,
  auth: publicWidget,
  audit: none('the inbox notes the page that has loaded its widget'),
  summary: 'Get the appearance and the rules of a chat widget',
  description:
    'Any cache may keep the response for 60 s. 404 for an unknown key; 403 while the widget is switched off, its inbox inactive or its tenant suspended, and for a page whose origin is not allowed.',
  request: { query: z.object({ key: widgetKey }) },
  cacheSeconds: 60,
  status: 200,
  response: dataOf(widgetConfig),
})

export const createWidgetSession = defineOperation({
  id: 'widget.createSession',
  method: 'POST',
  path: `${path}/sessions`,
  auth: publicWidget,
  audit: [
    none('a session of a visitor: only a merge of two customers is a decision about data'),
    'customer.merged',
  ],
  idempotency: 'never',
  summary: 'Begin a session of a visitor',
  description:
    'With a `userToken` the visitor is the person whom the tenant’s own server has signed, on every device. The token of an anonymous session of this inbox in `Authorization` moves its conversations to the person and ends it. 20 anonymous sessions an hour and address, beyond them one more each 12 s, 60 a minute and tenant, 20 signed ones an hour and person.',
  request: { body: createWidgetSessionBody },
  emits: ['customer.created', 'customer.updated', 'customer.deleted'],
  status: 201,
  response: dataOf(widgetSession),
})

export const getWidgetSession = defineOperation({
  id: 'widget.getSession',
  method: 'GET',
  path: `${path}/sessions/current`,
  auth: widgetVisitor,
  summary: 'Get the session of the visitor',
  status: 200,
  response: dataOf(currentWidgetSession),
})

export const updateWidgetSession = defineOperation({
  id: 'widget.updateSession',
  method: 'PUT',
  path: `${path}/sessions/current`,
  auth: widgetVisitor,
  audit: none('a visitor says who they are: the event customer.updated says it'),
  idempotency: 'never',
  summary: 'Set the address and the name of an anonymous visitor',
  description:
    'Fills blank fields of the customer and replaces what this session typed before, never what the team or a signed identity says. The address stays unverified and finds no customer. 409 INVALID_STATE in a signed session.',
  request: { body: updateWidgetSessionBody },
  emits: ['customer.updated'],
  status: 200,
  response: dataOf(currentWidgetSession),
})

export const endWidgetSession = defineOperation({
  id: 'widget.endSession',
  method: 'DELETE',
  path: `${path}/sessions/current`,
  auth: widgetVisitor,
  audit: none('a visitor ends their own session'),
  summary: 'End the session of the visitor',
  status: 200,
  response: messageReply,
})

export const listWidgetConversations = defineOperation({
  id: 'widget.listConversations',
  method: 'GET',
  path: `${path}/conversations`,
  auth: widgetVisitor,
  summary: 'List the conversations of the visitor, last activity first',
  description:
    'A signed visitor sees the conversations of the person on every device, an anonymous one those that the session began.',
  request: { query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(widgetConversation),
})

export const createWidgetConversation = defineOperation({
  id: 'widget.createConversation',
  method: 'POST',
  path: `${path}/conversations`,
  auth: widgetVisitor,
  audit: none('a customer writes: the event conversation.created says it'),
  idempotency: 'never',
  limit: messageLimit,
  summary: 'Begin a conversation',
  description: 'The first message of an anonymous visitor creates the customer.',
  request: { body: createWidgetConversationBody },
  rules: [needsWordsOrFiles('message')],
  emits: ['customer.created', 'conversation.created', 'conversation.assigned', 'message.received'],
  status: 201,
  statusOfRepeat: 200,
  response: dataOf(widgetConversationWithMessage),
})

export const listWidgetMessages = defineOperation({
  id: 'widget.listMessages',
  method: 'GET',
  path: `${path}/conversations/{id}/messages`,
  auth: widgetVisitor,
  summary: 'List the messages of a conversation, oldest first',
  description: 'Notes of the team are left out.',
  request: {
    params,
    query: z.object({
      ...pageQuery(50),
      order: z.enum(['asc', 'desc']).default('asc').describe('`asc`: oldest first; `desc`: newest first.'),
      format: widgetFormat,
    }),
  },
  status: 200,
  response: listOf(widgetMessage),
})

export const createWidgetMessage = defineOperation({
  id: 'widget.createMessage',
  method: 'POST',
  path: `${path}/conversations/{id}/messages`,
  auth: widgetVisitor,
  audit: none('a customer writes: the message itself names its sender and its time'),
  idempotency: 'never',
  limit: messageLimit,
  summary: 'Send a message',
  description:
    'A message with `choice` takes one of the choices of a message; a second one of them is a CONFLICT.',
  request: { params, body: createWidgetMessageBody },
  rules: [choiceOr(needsWordsOrFiles('content'))],
  emits: ['message.received', 'conversation.updated'],
  status: 201,
  statusOfRepeat: 200,
  response: dataOf(widgetMessage),
})

export const readWidgetConversation = defineOperation({
  id: 'widget.read',
  method: 'POST',
  path: `${path}/conversations/{id}/read`,
  auth: widgetVisitor,
  audit: none('a customer reads: the event conversation.updated says it'),
  idempotency: 'never',
  summary: 'Mark a conversation as read',
  description: 'Emits an event only when there was something unread.',
  request: { params },
  emits: ['conversation.updated'],
  status: 200,
  response: dataOf(widgetConversation),
})

export const setWidgetTyping = defineOperation({
  id: 'widget.typing',
  method: 'POST',
  path: `${path}/conversations/{id}/typing`,
  auth: widgetVisitor,
  audit: none('a sign of typing is announced and not stored'),
  idempotency: 'never',
  summary: 'Show the team that the visitor types',
  description: 'Stored nowhere. Streams of the team get it as `event: typing` without an id.',
  request: { params, body: widgetTypingBody },
  status: 200,
  response: dataOf(widgetConversation),
})

export const rateWidgetConversation = defineOperation({
  id: 'widget.rate',
  method: 'POST',
  path: `${path}/conversations/{id}/rating`,
  auth: widgetVisitor,
  audit: none('a customer rates: the event conversation.updated says it'),
  idempotency: 'never',
  summary: 'Rate a conversation',
  request: { params, body: widgetRatingBody },
  emits: ['conversation.updated'],
  status: 200,
  response: dataOf(widgetConversation),
})

export const mailWidgetTranscript = defineOperation({
  id: 'widget.mailTranscript',
  method: 'POST',
  path: `${path}/conversations/{id}/transcript`,
  auth: widgetVisitor,
  audit: none('a visitor asks for their own conversation'),
  idempotency: 'never',
  summary: 'Mail the conversation to the visitor',
  description:
    'To the address that this session has typed, or that a `userToken` has signed; without one 409 INVALID_STATE. While nobody has replied from a typed address, the mail holds the messages of the team alone. 1 an hour and 3 a day for a conversation, 5 a day for an address: beyond them 429, also where limits are switched off.',
  request: { params },
  status: 200,
  response: dataOf(widgetConversation),
})

export const createWidgetAttachment = defineOperation({
  id: 'widget.createAttachment',
  method: 'POST',
  path: `${path}/attachments`,
  auth: widgetVisitor,
  audit: none('a file that nothing uses is removed after a day: the message with it names its sender'),
  idempotency: 'never',
  limit: { name: 'widgetUploads', requests: 20, windowSeconds: hourSeconds, per: 'credential' },
  summary: 'Upload a file for a message',
  description:
    'One file of at most 10 MB. Put its id into `attachments` of a message of this session within 24 hours.',
  upload: { field: 'file', bytesMax: attachmentBytesMax },
  status: 201,
  response: dataOf(attachment),
})

export const getWidgetAttachment = defineOperation({
  id: 'widget.getAttachment',
  method: 'GET',
  path: `${path}/attachments/{id}`,
  auth: widgetVisitor,
  summary: 'Download a file of a message',
  description: 'Returns the bytes, always as a download.',
  request: { params: byId('attachment') },
  download: ['application/octet-stream', '*/*'],
  status: 200,
  response: z.unknown(),
})

const after = referenceTo(
  'position',
  z.string().max(512).describe('Position after which to start: a `nextCursor`, or an `id` of the stream.'),
)

export const listWidgetEvents = defineOperation({
  id: 'widget.listEvents',
  method: 'GET',
  path: `${path}/events`,
  auth: widgetVisitor,
  summary: 'Wait for the next events of the visitor',
  description:
    'Without `after` it returns no event and the position at present. With `wait` it responds as soon as there is an event, or after so many seconds.',
  request: {
    query: z.object({
      after: after.optional(),
      wait: queryInteger({ min: 0, max: 25 }).default(0).describe('Seconds to wait for an event.'),
      limit: queryInteger({ min: 1, max: pageSizeMax }).default(50).describe('Events per page.'),
      format: widgetFormat,
    }),
  },
  status: 200,
  response: z.object({
    success: successFlag,
    data: z.array(widgetEvent).describe('Events of this page.'),
    pagination: z
      .object({
        limit: z.int().describe('Events per page.'),
        nextCursor: z.string().describe('Position after this page, for `after`.'),
      })
      .describe('Position of the page in the log.'),
  }),
})

export const streamWidgetEvents = defineOperation({
  id: 'widget.stream',
  method: 'GET',
  path: `${path}/stream`,
  auth: widgetVisitor,
  summary: 'Stream the events of the visitor as server-sent events',
  description:
    'The stream starts at the present unless `after` or the header `Last-Event-ID` names a position. A session can have at most 5 streams and waiting requests. `event: typing` without an id, with `data{conversationId, isTyping}`, says that somebody of the team writes a reply; without another one it is over after 8 seconds.',
  request: { query: z.object({ after: after.optional(), format: widgetFormat }) },
  status: 200,
  response: widgetEvent,
  isStream: true,
})
