import { z } from 'zod'
import { defineOperation, session } from '../contract/define-operation.ts'
import { dataOf, listOf } from '../contract/envelopes.ts'
import { conversation } from '../conversations/conversation.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery, queryBoolean } from '../shared/page.ts'
import { referenceTo } from '../shared/reference.ts'
import { requiredText } from '../shared/text.ts'
import { inboundMail, makeConversationBody } from './inbound-mail.ts'
import { inboundMailReasons, inboundMailStatuses } from './mail-values.ts'

/** A job reads the mail again a moment after the request. */
const eventsOfMail = [
  'conversation.created',
  'conversation.assigned',
  'customer.created',
  'conversation.updated',
  'message.received',
] as const

const path = '/api/v1/inbound-mails'
const auth = session('admin')
const params = byId('mail')

export const listInboundMails = defineOperation({
  id: 'mails.list',
  method: 'GET',
  path,
  auth,
  summary: 'List the mails that arrived, newest first',
  request: {
    query: z.object({
      status: z.enum(inboundMailStatuses).optional().describe('Only mails in this state.'),
      inboxId: referenceTo('inbox', z.string().min(1).max(128))
        .optional()
        .describe('Only mails of this inbox.'),
      reason: z.enum(inboundMailReasons).optional().describe('Only mails with this reason.'),
      needsYou: queryBoolean
        .optional()
        .describe(
          'Whether only mails that need a person: parked ones, and for 7 days those that claim to be a stored mail.',
        ),
      search: requiredText(200)
        .optional()
        .describe(
          'Only mails whose sender or subject holds every word, among the 1,000 newest that need a person; the first 100 of them. Needs `needsYou=true`.',
        ),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: listOf(inboundMail),
})

export const getInboundMail = defineOperation({
  id: 'mails.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth,
  summary: 'Get a mail that arrived',
  request: { params },
  status: 200,
  response: dataOf(inboundMail),
})

export const getRawMail = defineOperation({
  id: 'mails.raw',
  method: 'GET',
  path: `${path}/{id}/raw`,
  auth,
  audit: 'mail.rawRead',
  summary: 'Download a mail as it arrived',
  description: 'The bytes are stored for 90 days.',
  request: { params },
  status: 200,
  download: ['message/rfc822'],
  response: z.unknown(),
})

export const processMailAgain = defineOperation({
  id: 'mails.processAgain',
  method: 'POST',
  path: `${path}/{id}/process-again`,
  auth,
  audit: 'mail.processedAgain',
  summary: 'Process a parked mail again, or one of a sender who was blocked',
  description:
    'The bytes of the mail must still be stored. A mail that was ignored with the reason `blocked` needs a sender who is not blocked any more.',
  request: { params },
  status: 200,
  response: dataOf(inboundMail),
  emits: [...eventsOfMail, 'mail.parked'],
})

export const makeConversationOfMail = defineOperation({
  id: 'mails.makeConversation',
  method: 'POST',
  path: `${path}/{id}/make-conversation`,
  auth,
  audit: 'mail.conversationMade',
  summary: 'Make a conversation of a mail that is parked, a duplicate or a loop',
  description:
    '`conversationId` and `customerId` exclude each other. The message follows within seconds. A mail that cannot be read becomes a message that says so. A repeat returns the same conversation with 200.',
  request: { params, body: makeConversationBody },
  status: 201,
  statusOfRepeat: 200,
  response: dataOf(conversation),
  emits: eventsOfMail,
})

export const discardMail = defineOperation({
  id: 'mails.discard',
  method: 'POST',
  path: `${path}/{id}/discard`,
  auth,
  audit: 'mail.discarded',
  summary: 'Discard a mail that needs a person',
  description: 'The mail stays in the list with the reason `discarded`, and can be processed again.',
  request: { params },
  status: 200,
  response: dataOf(inboundMail),
})
