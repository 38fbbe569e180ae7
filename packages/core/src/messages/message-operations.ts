import { z } from 'zod'
import { defineOperation, none, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery, queryInteger } from '../shared/page.ts'
import { message, newMessageBody } from './message.ts'
import { choicesAreOffered } from './message-choices.ts'
import { mailAttempt } from './message-email.ts'
import { needsWordsOrFiles, noteIsNotInbound } from './message-rules.ts'

const byConversation = byId('conversation')
const byMessage = byId('message')

/** The newest messages among which one of a colleague refuses a reply. */
export const maxNewerMessages = 100

const seqMax = 2 ** 31 - 1

/** The check that nobody of the team has written in the meantime. */
export const replyConflictHeaders = z.object({
  'If-Conversation-Seq': queryInteger({ min: 0, max: seqMax })
    .optional()
    .describe(
      '`seq` of the conversation as the sender saw it. A reply is refused with `CONFLICT` when a colleague or a key has written a reply or a note since; `details` holds `by`, `at`, `messageId` and `seq`. Ignored for other messages.',
    ),
  Force: z.enum(['true', 'false']).optional().describe('`true`: sends in any case.'),
})

export const listMessages = defineOperation({
  id: 'messages.list',
  method: 'GET',
  path: '/api/v1/conversations/{id}/messages',
  auth: sessionOrKey('read:conversations'),
  summary: 'List the messages of a conversation, oldest first',
  request: {
    params: byConversation,
    query: z.object({
      order: z.enum(['asc', 'desc']).default('asc').describe('`asc`: oldest first; `desc`: newest first.'),
      ...pageQuery(50),
    }),
  },
  status: 200,
  response: listOf(message),
})

export const createMessage = defineOperation({
  id: 'messages.create',
  method: 'POST',
  path: '/api/v1/conversations/{id}/messages',
  auth: sessionOrKey('write:conversations'),
  audit: none('the message itself names its sender and its time'),
  summary: 'Create a message: a reply, a note, or the record of an inbound message',
  description:
    'An inbound message opens a closed, pending or snoozed conversation again. ' +
    'With `If-Conversation-Seq` a reply is refused when somebody else has answered in the meantime. ' +
    'A reply to a conversation of a package that is not handed over is an INVALID_STATE. `Force: true` sends in both cases. ' +
    'A request that repeats a `clientMessageId` of the conversation returns the first message with status 200. ' +
    'In an inbox with a mail transport a reply is `queued` until it is sent; `to`, `cc`, `bcc` and `subject` need one.',
  request: { params: byConversation, body: newMessageBody, headers: replyConflictHeaders },
  rules: [noteIsNotInbound, needsWordsOrFiles('content'), choicesAreOffered],
  status: 201,
  statusOfRepeat: 200,
  response: dataOf(message),
  emits: ['message.sent', 'message.received', 'note.created', 'mention.created', 'conversation.updated'],
})

export const getMessage = defineOperation({
  id: 'messages.get',
  method: 'GET',
  path: '/api/v1/messages/{id}',
  auth: sessionOrKey('read:conversations'),
  summary: 'Get one message',
  request: { params: byMessage },
  status: 200,
  response: dataOf(message),
})

export const updateMessage = defineOperation({
  id: 'messages.update',
  method: 'PUT',
  path: '/api/v1/messages/{id}',
  auth: sessionOrKey('write:conversations'),
  audit: none('progress of a message: the event message.updated says it'),
  summary: 'Update the status of a message; it can only advance',
  request: {
    params: byMessage,
    body: z
      .strictObject({
        status: z
          .enum(['delivered', 'read', 'failed'])
          .optional()
          .describe('New status. It can only advance: sent, then delivered, then read; or failed.'),
      })
      .meta({ id: 'UpdateMessage', description: 'Progress of a message.' }),
  },
  status: 200,
  response: dataOf(message),
  emits: ['message.updated'],
})

export const listMailAttempts = defineOperation({
  id: 'messages.attempts',
  method: 'GET',
  path: '/api/v1/messages/{id}/attempts',
  auth: sessionOrKey('read:conversations'),
  summary: 'List the attempts to send a message by e-mail, oldest first',
  description: 'The latest 60 attempts. Empty for a message that is no outbound e-mail.',
  request: { params: byMessage },
  status: 200,
  response: dataOf(z.array(mailAttempt).describe('Attempts, oldest first.')),
})

export const sendMessageAgain = defineOperation({
  id: 'messages.sendAgain',
  method: 'POST',
  path: '/api/v1/messages/{id}/send-again',
  auth: sessionOrKey('write:conversations'),
  audit: none('the message stays the same: its deliveries list every attempt'),
  summary: 'Send a failed e-mail again, to the recipients who did not get it',
  description:
    'It keeps its Message-ID. Any other status than `failed` is an INVALID_STATE, and so is a message that is no e-mail.',
  request: { params: byMessage },
  status: 200,
  response: dataOf(message),
  emits: ['message.updated'],
})

export const deleteMessage = defineOperation({
  id: 'messages.delete',
  method: 'DELETE',
  path: '/api/v1/messages/{id}',
  auth: sessionOrKey('write:conversations'),
  audit: 'message.takenBack',
  summary: 'Take back a reply that is still queued',
  description:
    'A reply by e-mail can be taken back within the `sendDelaySeconds` of its inbox; later, and for any other message, it is an INVALID_STATE. Its attachments are free again.',
  request: { params: byMessage },
  status: 200,
  response: messageReply,
  emits: ['message.deleted', 'conversation.updated'],
})
