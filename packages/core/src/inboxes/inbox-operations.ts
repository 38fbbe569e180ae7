import { z } from 'zod'
import { defineOperation, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { inboundTokenBody } from '../mails/inbound-mail.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import {
  createInboxBody,
  inbox,
  inboxWithInboundToken,
  inboxWithSecret,
  updateInboxBody,
  widgetSecretBody,
} from './inbox.ts'
import { emailCredentialsBody } from './inbox-email.ts'
import { emailSettingsAreComplete } from './inbox-email-rules.ts'

const params = byId('inbox')

export const listInboxes = defineOperation({
  id: 'inboxes.list',
  method: 'GET',
  path: '/api/v1/inboxes',
  auth: sessionOrKey('read:conversations'),
  summary: 'List inboxes, newest first',
  request: { query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(inbox),
})

export const getInbox = defineOperation({
  id: 'inboxes.get',
  method: 'GET',
  path: '/api/v1/inboxes/{id}',
  auth: sessionOrKey('read:conversations'),
  summary: 'Get one inbox',
  request: { params },
  status: 200,
  response: dataOf(inbox),
})

export const createInbox = defineOperation({
  id: 'inboxes.create',
  method: 'POST',
  path: '/api/v1/inboxes',
  auth: session('admin'),
  audit: 'inbox.created',
  summary: 'Create an inbox',
  description:
    'With `autoAssign.enabled`, a new conversation without an assignee is assigned to the next member who is online and has fewer than `maxOpen` open conversations. With `isDefault` it replaces the default inbox so far.',
  request: { body: createInboxBody },
  rules: [emailSettingsAreComplete],
  status: 201,
  response: dataOf(inbox),
})

export const updateInbox = defineOperation({
  id: 'inboxes.update',
  method: 'PUT',
  path: '/api/v1/inboxes/{id}',
  auth: session('admin'),
  audit: 'inbox.updated',
  summary: 'Update an inbox',
  description:
    'An absent field keeps its value. `members`, `autoAssign`, `widget` and `email` are replaced as a whole. There is always exactly one default inbox. An address that another inbox has, also of another tenant, is a conflict. A stored password is removed when the host or the user of its server changes.',
  request: { params, body: updateInboxBody },
  rules: [emailSettingsAreComplete],
  status: 200,
  response: dataOf(inbox),
})

export const deleteInbox = defineOperation({
  id: 'inboxes.delete',
  method: 'DELETE',
  path: '/api/v1/inboxes/{id}',
  auth: session('admin'),
  audit: 'inbox.deleted',
  summary: 'Delete an inbox that is not the default and has no conversations',
  request: { params },
  status: 200,
  response: messageReply,
})

export const makeWidgetSecret = defineOperation({
  id: 'inboxes.makeWidgetSecret',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/widget-secret',
  auth: session('admin'),
  audit: ['inbox.widgetSecretMade', 'inbox.widgetSecretRotated'],
  summary: 'Create or rotate the identity secret of the inbox’s widget; the secret is shown once',
  description:
    'The server of a web page signs the identity of its visitors with this secret. The previous secret stays valid for `overlapSeconds` (default 24 hours).',
  request: { params, body: widgetSecretBody },
  status: 200,
  response: dataOf(inboxWithSecret),
  idempotency: 'secret',
})

export const setEmailCredentials = defineOperation({
  id: 'inboxes.setEmailCredentials',
  method: 'PUT',
  path: '/api/v1/inboxes/{id}/email-credentials',
  auth: session('admin'),
  audit: 'inbox.emailCredentialsChanged',
  summary: 'Set or remove the passwords and keys of the inbox’s e-mail; they are never shown',
  description:
    'An absent field keeps its value, null removes it. A password needs its server in the settings: it is valid for that host and user alone.',
  request: { params, body: emailCredentialsBody },
  status: 200,
  response: dataOf(inbox),
})

export const makeInboundToken = defineOperation({
  id: 'inboxes.makeInboundToken',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/inbound-token',
  auth: session('admin'),
  audit: 'inbox.inboundTokenMade',
  summary: 'Make a new token for the address that receives mail over HTTP, which is shown once',
  description:
    'Mail is posted to `/api/v1/inbound/email/{token}`. The previous token stays valid for `overlapSeconds`, 24 hours by default.',
  request: { params, body: inboundTokenBody },
  status: 200,
  response: dataOf(inboxWithInboundToken),
  idempotency: 'secret',
})
