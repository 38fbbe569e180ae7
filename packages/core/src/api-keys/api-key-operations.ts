import { z } from 'zod'
import { defineOperation, session } from '../contract/define-operation.ts'
import { dataOf, messageReply, namedListOf } from '../contract/envelopes.ts'
import { queryMonth } from '../shared/month.ts'
import { pageQuery, queryBoolean } from '../shared/page.ts'
import {
  apiKey,
  apiKeyUsage,
  createApiKeyBody,
  createdApiKey,
  keyEnvironments,
  rotateApiKeyBody,
  updateApiKeyBody,
} from './api-key.ts'

const path = '/api/tenant/api-keys'
const byId = z.object({ id: z.string() })

export const listApiKeys = defineOperation({
  id: 'apiKeys.list',
  method: 'GET',
  path,
  auth: session('admin'),
  summary: 'List API keys, newest first',
  request: {
    query: z.object({
      environment: z.enum(keyEnvironments).optional(),
      isActive: queryBoolean.optional(),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: namedListOf('keys', apiKey),
})

export const createApiKey = defineOperation({
  id: 'apiKeys.create',
  method: 'POST',
  path,
  auth: session('admin'),
  summary: 'Create an API key; the key itself is shown once',
  request: { body: createApiKeyBody },
  status: 201,
  response: dataOf(createdApiKey),
  idempotency: 'secret',
})

export const getApiKey = defineOperation({
  id: 'apiKeys.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth: session('admin'),
  summary: 'Get one API key',
  request: { params: byId },
  status: 200,
  response: dataOf(apiKey),
})

export const updateApiKey = defineOperation({
  id: 'apiKeys.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth: session('admin'),
  summary: 'Change an API key; the change acts on the next request',
  request: { params: byId, body: updateApiKeyBody },
  status: 200,
  response: dataOf(apiKey),
})

export const getApiKeyUsage = defineOperation({
  id: 'apiKeys.usage',
  method: 'GET',
  path: `${path}/{id}/usage`,
  auth: session('admin'),
  summary: 'How often a key was used in a month, by endpoint and by method',
  description:
    'Every request with the key counts, also one that was refused. At most 2 s behind; kept for 24 months.',
  request: { params: byId, query: z.object({ month: queryMonth.optional() }) },
  status: 200,
  response: dataOf(apiKeyUsage),
})

export const rotateApiKey = defineOperation({
  id: 'apiKeys.rotate',
  method: 'POST',
  path: `${path}/{id}/rotate`,
  auth: session('admin'),
  summary: 'Replace an API key by a new one with the same settings; the new key is shown once',
  description:
    'The old key works for overlapSeconds more (default 86,400), or until it expires, whichever is sooner.',
  request: { params: byId, body: rotateApiKeyBody },
  status: 201,
  response: dataOf(createdApiKey),
  idempotency: 'secret',
})

export const revokeApiKey = defineOperation({
  id: 'apiKeys.revoke',
  method: 'POST',
  path: `${path}/{id}/revoke`,
  auth: session('admin'),
  summary: 'Deactivate an API key at once',
  request: { params: byId },
  status: 200,
  response: dataOf(apiKey),
})

export const deleteApiKey = defineOperation({
  id: 'apiKeys.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth: session('admin'),
  summary: 'Permanently remove an API key',
  request: { params: byId },
  status: 200,
  response: messageReply,
})
