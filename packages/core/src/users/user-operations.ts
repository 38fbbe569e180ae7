import { z } from 'zod'
import { defineOperation, none, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import {
  invitedUser,
  inviteUserBody,
  ownUser,
  setActivityBody,
  updateMeBody,
  updateUserBody,
  user,
} from './user.ts'

const params = byId('user')

export const listUsers = defineOperation({
  id: 'users.list',
  method: 'GET',
  path: '/api/v1/users',
  auth: sessionOrKey('read:conversations'),
  summary: 'List the users of the tenant, newest first',
  request: { query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(user),
})

export const createUser = defineOperation({
  id: 'users.create',
  method: 'POST',
  path: '/api/v1/users',
  auth: session('admin'),
  audit: 'user.invited',
  summary: 'Invite a person to the tenant; the invite token is shown once',
  description:
    'The user is inactive until the person accepts the invitation with the token, within 72 hours. The service does not send the token: pass it on yourself. Only an owner can invite an owner.',
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
  audit: 'user.invitedAgain',
  summary: 'Create a new invite token for a user who has not accepted yet; the earlier token stops working',
  request: { params },
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
  response: dataOf(ownUser),
})

export const updateMe = defineOperation({
  id: 'users.updateMe',
  method: 'PUT',
  path: '/api/v1/users/me',
  auth: session(),
  audit: [
    'user.updated',
    none(
      'a change of nothing but their own availability or image senders has no entry: users make it many times a day',
    ),
  ],
  summary: 'Update the name, the availability or the image senders of the signed-in user',
  description:
    'With `availability`, the user says that they are online, away or offline, until `availabilityUntil` or the next change. Null gives that back to the service: then live streams and input decide. `imageSender` alone emits no event.',
  request: { body: updateMeBody },
  status: 200,
  response: dataOf(ownUser),
  emits: ['user.updated'],
})

export const setActivity = defineOperation({
  id: 'users.setActivity',
  method: 'PUT',
  path: '/api/v1/users/me/activity',
  auth: session(),
  audit: none('it is overwritten all day, and a history would be a time sheet'),
  summary: 'Say whether the signed-in user works with this session',
  description:
    'For clients with a screen, on change only. A user whose mode is `auto` is online with a live stream and with input in one of their sessions in the last 10 minutes. To open a live stream is input; to resume one with `Last-Event-ID` is none.',
  request: { body: setActivityBody },
  status: 200,
  response: dataOf(user),
  isOutsidePlan: true,
})

export const getUser = defineOperation({
  id: 'users.get',
  method: 'GET',
  path: '/api/v1/users/{id}',
  auth: sessionOrKey('read:conversations'),
  summary: 'Get one user',
  request: { params },
  status: 200,
  response: dataOf(user),
})

export const updateUser = defineOperation({
  id: 'users.update',
  method: 'PUT',
  path: '/api/v1/users/{id}',
  auth: session('admin'),
  audit: [
    'user.updated',
    none('only what a user says about their own availability has no entry: it changes many times a day'),
  ],
  summary: 'Update a user: name, availability, role, active or not',
  description:
    'Only an owner can change an owner or appoint one. The last owner cannot be demoted or deactivated.',
  request: { params, body: updateUserBody },
  status: 200,
  response: dataOf(user),
  emits: ['user.updated'],
})

export const deleteUser = defineOperation({
  id: 'users.delete',
  method: 'DELETE',
  path: '/api/v1/users/{id}',
  auth: session('admin'),
  audit: 'user.deleted',
  summary: 'Remove a user from the tenant',
  description:
    'The user’s sessions end immediately, their open conversations are unassigned, and messages keep the sender’s name. Only an owner can remove an owner. The last owner cannot be removed.',
  request: { params },
  status: 200,
  response: messageReply,
  emits: ['user.deleted', 'conversation.updated', 'conversation.assigned'],
})
