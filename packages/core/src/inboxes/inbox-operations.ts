import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf } from '../contract/envelopes.ts'
import { pageQuery } from '../shared/page.ts'
import { inbox } from './inbox.ts'

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
  request: { params: z.object({ id: z.string() }) },
  status: 200,
  response: dataOf(inbox),
})
