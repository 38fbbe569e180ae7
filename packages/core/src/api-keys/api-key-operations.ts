import { z } from 'zod'
import { defineOperation, session } from '../contract/define-operation.ts'
import { dataOf, messageReply, namedListOf } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
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
const params = byId('API key')

export const listApiKeys = defineOperation({
  id: 'apiKeys.list',
  method: 'GET',
  path,
  auth: session('admin'),
  summary: 'List API keys, newest first',
  request: {
    query: z.object({
      environment: z.enum(keyEnvironments).optional().describe('Only keys of this environment.'),
      isActive: queryBoolean.optional().describe('Only active keys (true) or only revoked ones (false).'),
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
  audit: 'apiKey.created',
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
  request: { params },
  status: 200,
  response: dataOf(apiKey),
})

export const updateApiKey = defineOperation({
  id: 'apiKeys.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth: session('admin'),
  audit: 'apiKey.updated',
  summary: 'Update an API key; the change takes effect with the next request',
  request: { params, body: updateApiKeyBody },
  status: 200,
  response: dataOf(apiKey),
})

export const getApiKeyUsage = defineOperation({
  id: 'apiKeys.usage',
  method: 'GET',
  path: `${path}/{id}/usage`,
  auth: session('admin'),
  summary: 'Count the requests of a key in a month, by endpoint and by method',
  description:
    'Every request with the key counts, refused ones included. The counts are at most 2 s old and are stored for 24 months.',
  request: {
    params,
    query: z.object({
      month: queryMonth.optional().describe('Month in UTC, `YYYY-MM`. Default: the current one.'),
    }),
  },
  status: 200,
  response: dataOf(apiKeyUsage),
})

export const rotateApiKey = defineOperation({
  id: 'apiKeys.rotate',
  method: 'POST',
  path: `${path}/{id}/rotate`,
  auth: session('admin'),
  audit: 'apiKey.rotated',
  summary: 'Rotate an API key: create its successor with the same settings; the new key is shown once',
  description:
    'The old key works for another `overlapSeconds` (default 86,400), or until it expires, if that is sooner.',
  request: { params, body: rotateApiKeyBody },
  status: 201,
  response: dataOf(createdApiKey),
  idempotency: 'secret',
})

export const revokeApiKey = defineOperation({
  id: 'apiKeys.revoke',
  method: 'POST',
  path: `${path}/{id}/revoke`,
  auth: session('admin'),
  audit: 'apiKey.revoked',
  summary: 'Revoke an API key immediately',
  request: { params },
  status: 200,
  response: dataOf(apiKey),
  onFullDisk: 'admitted',
})

export const deleteApiKey = defineOperation({
  id: 'apiKeys.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth: session('admin'),
  audit: 'apiKey.deleted',
  summary: 'Permanently delete an API key',
  request: { params },
  status: 200,
  response: messageReply,
})
