import { z } from 'zod'
import { defineOperation, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { pageQuery } from '../shared/page.ts'
import { createInboxBody, inbox, inboxWithSecret, updateInboxBody, widgetSecretBody } from './inbox.ts'

const byId = z.object({ id: z.string() })

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
  request: { params: byId },
  status: 200,
  response: dataOf(inbox),
})

export const createInbox = defineOperation({
  id: 'inboxes.create',
  method: 'POST',
  path: '/api/v1/inboxes',
  auth: session('admin'),
  summary: 'Create an inbox',
  description:
    'With `autoAssign.enabled` a new conversation without an assignee goes to the next member who is online and has fewer than `maxOpen` open ones. Made the default, it takes the place of the one before.',
  request: { body: createInboxBody },
  status: 201,
  response: dataOf(inbox),
})

export const updateInbox = defineOperation({
  id: 'inboxes.update',
  method: 'PUT',
  path: '/api/v1/inboxes/{id}',
  auth: session('admin'),
  summary: 'Change an inbox',
  description:
    'An absent field keeps its value; `members`, `autoAssign` and `widget` are replaced as a whole. One inbox is always the default.',
  request: { params: byId, body: updateInboxBody },
  status: 200,
  response: dataOf(inbox),
})

export const deleteInbox = defineOperation({
  id: 'inboxes.delete',
  method: 'DELETE',
  path: '/api/v1/inboxes/{id}',
  auth: session('admin'),
  summary: 'Remove an inbox that is not the default and has no conversations',
  request: { params: byId },
  status: 200,
  response: messageReply,
})

export const makeWidgetSecret = defineOperation({
  id: 'inboxes.makeWidgetSecret',
  method: 'POST',
  path: '/api/v1/inboxes/{id}/widget-secret',
  auth: session('admin'),
  summary: 'Make the identity secret of the inbox’s widget, which is shown once',
  description:
    'With it the server of a web page vouches for its visitors. One that was made before stays valid for the overlap: 24 hours unless told otherwise.',
  request: { params: byId, body: widgetSecretBody },
  status: 200,
  response: dataOf(inboxWithSecret),
  idempotency: 'secret',
})
