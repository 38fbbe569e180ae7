import { z } from 'zod'
import { defineOperation, session } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import { createViewBody, ownViewsMax, sharedViewsMax, updateViewBody, view } from './view.ts'

const path = '/api/v1/views'
const byView = byId('view')

export const listViews = defineOperation({
  id: 'views.list',
  method: 'GET',
  path,
  auth: session('viewer'),
  summary: 'List saved views by their names',
  description: 'It has the views of the team and one’s own.',
  request: { query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(view),
})

export const getView = defineOperation({
  id: 'views.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth: session('viewer'),
  summary: 'Get one saved view',
  request: { params: byView },
  status: 200,
  response: dataOf(view),
})

export const createView = defineOperation({
  id: 'views.create',
  method: 'POST',
  path,
  auth: session('viewer'),
  audit: 'view.created',
  summary: 'Save a view of conversations',
  description: `A user has at most ${ownViewsMax} views of their own, and the team ${sharedViewsMax}: one more is a \`CONFLICT\`. Sharing one takes the role \`agent\`.`,
  request: { body: createViewBody },
  status: 201,
  response: dataOf(view),
})

export const updateView = defineOperation({
  id: 'views.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth: session('viewer'),
  audit: 'view.updated',
  summary: 'Change a saved view: one’s own, or as an admin a shared one',
  description: 'With `isShared: false` a shared view becomes the caller’s own.',
  request: { params: byView, body: updateViewBody },
  status: 200,
  response: dataOf(view),
})

export const deleteView = defineOperation({
  id: 'views.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth: session('viewer'),
  audit: 'view.deleted',
  summary: 'Delete a saved view: one’s own, or as an admin a shared one',
  request: { params: byView },
  status: 200,
  response: messageReply,
})
