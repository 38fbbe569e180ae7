import { z } from 'zod'
import { defineOperation, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf } from '../contract/envelopes.ts'
import { pageQuery } from '../shared/page.ts'
import { updateMeBody, updateUserBody, user } from './user.ts'

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
