import { z } from 'zod'
import { defineOperation, none, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import {
  cannedReply,
  createCannedReplyBody,
  renderCannedReplyBody,
  renderedReply,
  shortcutOfReply,
  updateCannedReplyBody,
} from './canned-reply.ts'

const path = '/api/v1/canned-replies'
const byReply = byId('canned reply')

export const listCannedReplies = defineOperation({
  id: 'cannedReplies.list',
  method: 'GET',
  path,
  auth: sessionOrKey('read:conversations'),
  summary: 'List canned replies by their shortcuts',
  description: 'The list holds the replies of the team and one’s own. An API key has none of its own.',
  request: {
    query: z.object({
      shortcut: shortcutOfReply.optional().describe('Only those with this shortcut.'),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: listOf(cannedReply),
})

export const getCannedReply = defineOperation({
  id: 'cannedReplies.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth: sessionOrKey('read:conversations'),
  summary: 'Get one canned reply',
  request: { params: byReply },
  status: 200,
  response: dataOf(cannedReply),
})

export const createCannedReply = defineOperation({
  id: 'cannedReplies.create',
  method: 'POST',
  path,
  auth: sessionOrKey('write:conversations'),
  audit: 'cannedReply.created',
  summary: 'Create a canned reply',
  description: 'A shortcut that another one has already is a `CONFLICT`.',
  request: { body: createCannedReplyBody },
  status: 201,
  response: dataOf(cannedReply),
})

export const updateCannedReply = defineOperation({
  id: 'cannedReplies.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:conversations'),
  audit: 'cannedReply.updated',
  summary: 'Change a canned reply: one’s own, or one of the team',
  description:
    'With `isShared: false` it becomes the caller’s own. Only its owner or an admin can take it from the team.',
  request: { params: byReply, body: updateCannedReplyBody },
  status: 200,
  response: dataOf(cannedReply),
})

export const deleteCannedReply = defineOperation({
  id: 'cannedReplies.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:conversations'),
  audit: 'cannedReply.deleted',
  summary: 'Delete a canned reply: one’s own, or as an admin one of the team',
  request: { params: byReply },
  status: 200,
  response: messageReply,
})

export const renderCannedReply = defineOperation({
  id: 'cannedReplies.render',
  method: 'POST',
  path: `${path}/{id}/render`,
  auth: sessionOrKey('read:conversations'),
  audit: none('it changes nothing'),
  summary: 'Fill a canned reply with the values of a conversation',
  description:
    'The agent is the caller; an API key has no values of an agent. Without the permission `read:customers` only the names of the customer are filled in.',
  request: { params: byReply, body: renderCannedReplyBody },
  status: 200,
  response: dataOf(renderedReply),
})
