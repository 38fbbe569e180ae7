import { z } from 'zod'
import { defineOperation, none, session } from '../contract/define-operation.ts'
import { dataOf, listOf } from '../contract/envelopes.ts'
import { ownId } from '../shared/common-fields.ts'
import { pageQuery } from '../shared/page.ts'
import { referenceTo } from '../shared/reference.ts'
import { call, callMetadataBody, capabilityToken, capabilityTokenBody, createCallBody } from './call.ts'
import { callStatuses } from './call-values.ts'

const path = '/api/telephony/calls'
const auth = session('agent')
const params = z.object({ callId: ownId('call') })
const idOf = (kind: 'user' | 'customer' | 'conversation') =>
  referenceTo(kind, z.string().min(1).max(128)).optional()

export const createCapabilityToken = defineOperation({
  id: 'telephony.createToken',
  method: 'POST',
  path: '/api/telephony/webrtc/capability-token',
  auth,
  audit: none('the token lasts minutes, and the call itself is a row with its user'),
  summary: 'Create a token that lets a browser call a customer',
  description:
    'The token lives 10 minutes. Without a provider the token is signed with a development key and `provider` is `local`; in production the response is then 503.',
  request: { body: capabilityTokenBody },
  status: 200,
  response: dataOf(capabilityToken),
  idempotency: 'never',
})

export const listCalls = defineOperation({
  id: 'calls.list',
  method: 'GET',
  path,
  auth,
  summary: 'List calls, newest first',
  request: {
    query: z.object({
      status: z.enum(callStatuses).optional().describe('Only calls in this state.'),
      customerId: idOf('customer').describe('Only calls with this customer.'),
      conversationId: idOf('conversation').describe('Only calls of this conversation.'),
      agentId: idOf('user').describe('Only calls of this user.'),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: listOf(call),
})

export const createCall = defineOperation({
  id: 'calls.create',
  method: 'POST',
  path,
  auth,
  audit: none('the call is a row with its user and its time'),
  summary: 'Record a call that a person makes or takes',
  description: 'It does not dial: the browser does, with a capability token.',
  request: { body: createCallBody },
  status: 201,
  response: dataOf(call),
  emits: ['call.initiated'],
})

export const getCall = defineOperation({
  id: 'calls.get',
  method: 'GET',
  path: `${path}/{callId}`,
  auth,
  summary: 'Get one call',
  request: { params },
  status: 200,
  response: dataOf(call),
})

export const updateCallMetadata = defineOperation({
  id: 'calls.updateMetadata',
  method: 'PATCH',
  path: `${path}/{callId}/metadata`,
  auth,
  audit: none('daily work of the team: notes and ratings of a call that is a row'),
  summary: 'Update notes, tags and rating of a call',
  request: { params, body: callMetadataBody },
  rules: [
    {
      description: 'At least one field is there.',
      check: (body) =>
        Object.keys(body).length > 0
          ? undefined
          : { field: '', message: 'must hold notes, tags or rating', rule: 'required' },
    },
  ],
  status: 200,
  response: dataOf(call),
})
