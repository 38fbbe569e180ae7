import { z } from 'zod'
import { defineOperation, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { pageQuery } from '../shared/page.ts'
import { invitedUser, inviteUserBody, updateMeBody, updateUserBody, user } from './user.ts'

const byId = z.object({ id: z.string() })

export const listUsers = defineOperation({
  id: 'users.list',
  method: 'GET',
  path: '/api/v1/users',
  auth: sessionOrKey('read:conversations'),
  summary: 'List the people of the tenant, newest first',
  request: { query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(user),
})

export const createUser = defineOperation({
  id: 'users.create',
  method: 'POST',
  path: '/api/v1/users',
  auth: session('admin'),
  summary: 'Invite a person into the tenant; the invite token is shown once',
  description:
    'The user is inactive until the invitation is accepted with the token, within 72 hours. Bring the token to the person yourself. Only an owner invites an owner.',
  request: { body: inviteUserBody },
  status: 201,
  response: dataOf(invitedUser),
  emits: ['user.created'],
  idempotency: 'secret',
})

export const inviteUserAgain = defineOperation({
  id: 'users.inviteAgain',
  method: 'POST',
  path: '/api/v1/users/{id}/invite',
  auth: session('admin'),
  summary: 'Make a new invite token for a user who has not accepted yet; the one before ends',
  request: { params: byId },
  status: 200,
  response: dataOf(invitedUser),
  idempotency: 'secret',
})

export const getMe = defineOperation({
  id: 'users.me',
  method: 'GET',
  path: '/api/v1/users/me',
  auth: session(),
  summary: 'Get the signed-in user',
  status: 200,
  response: dataOf(user),
})

export const updateMe = defineOperation({
  id: 'users.updateMe',
  method: 'PUT',
  path: '/api/v1/users/me',
  auth: session(),
  summary: 'Change the signed-in user’s name or availability',
  request: { body: updateMeBody },
  status: 200,
  response: dataOf(user),
  emits: ['user.updated'],
})

export const getUser = defineOperation({
  id: 'users.get',
  method: 'GET',
  path: '/api/v1/users/{id}',
  auth: sessionOrKey('read:conversations'),
  summary: 'Get one user',
  request: { params: byId },
  status: 200,
  response: dataOf(user),
})

export const updateUser = defineOperation({
  id: 'users.update',
  method: 'PUT',
  path: '/api/v1/users/{id}',
  auth: session('admin'),
  summary: 'Change a user: name, role, activity',
  description: 'Only an owner changes an owner or makes one; the last owner stays.',
  request: { params: byId, body: updateUserBody },
  status: 200,
  response: dataOf(user),
  emits: ['user.updated'],
})

export const deleteUser = defineOperation({
  id: 'users.delete',
  method: 'DELETE',
  path: '/api/v1/users/{id}',
  auth: session('admin'),
  summary: 'Remove a user from the tenant',
  description:
    'Their sessions end at once, their open conversations are unassigned, messages keep the sender’s name. Only an owner removes an owner; the last owner stays.',
  request: { params: byId },
  status: 200,
  response: messageReply,
  emits: ['conversation.updated', 'conversation.assigned'],
})
