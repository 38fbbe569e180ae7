import { z } from 'zod'
import { defineOperation, session } from '../contract/define-operation.ts'
import { dataOf, listOf } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import { referenceTo } from '../shared/reference.ts'
import { inboundMail } from './inbound-mail.ts'
import { inboundMailStatuses } from './mail-values.ts'

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
})
