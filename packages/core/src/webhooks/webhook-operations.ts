import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, messageReply, namedListOf } from '../contract/envelopes.ts'
import { pageQuery, queryBoolean } from '../shared/page.ts'
import {
  createdWebhook,
  createWebhookBody,
  deliveryLog,
  testedDelivery,
  updateWebhookBody,
  webhook,
} from './webhook.ts'
import { deliveryStatuses } from './webhook-values.ts'

const path = '/api/v1/webhooks'
const byId = z.object({ id: z.string() })
const auth = sessionOrKey('webhook:manage')

export const listWebhooks = defineOperation({
  id: 'webhooks.list',
  method: 'GET',
  path,
  auth,
  summary: 'List webhooks, newest first',
  request: { query: z.object({ isActive: queryBoolean.optional(), ...pageQuery(20) }) },
  status: 200,
  response: namedListOf('webhooks', webhook),
})

export const createWebhook = defineOperation({
  id: 'webhooks.create',
  method: 'POST',
  path,
  auth,
  summary: 'Create a webhook; its signing secret is shown once',
  description: 'At most 50 webhooks a tenant. The URL is HTTPS and leads to a public address.',
  request: { body: createWebhookBody },
  status: 201,
  response: dataOf(createdWebhook),
  idempotency: 'secret',
})

export const getWebhook = defineOperation({
  id: 'webhooks.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth,
  summary: 'Get one webhook',
  request: { params: byId },
  status: 200,
  response: dataOf(webhook),
})

export const updateWebhook = defineOperation({
  id: 'webhooks.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth,
  summary: 'Change a webhook',
  request: { params: byId, body: updateWebhookBody },
  status: 200,
  response: dataOf(webhook),
})

export const deleteWebhook = defineOperation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth,
  summary: 'Permanently remove a webhook; deliveries stop at once',
  request: { params: byId },
  status: 200,
  response: messageReply,
})

export const testWebhook = defineOperation({
  id: 'webhooks.test',
  method: 'POST',
  path: `${path}/{id}/test`,
  auth,
  summary: 'Send one test event now and show the attempt as it was',
  description:
    'One attempt without retries, also when the webhook is inactive; 200 whatever the receiver said.',
  request: { params: byId },
  status: 200,
  response: z.object({
    success: z.literal(true),
    message: z.literal('Test event sent'),
    data: testedDelivery,
  }),
  limit: { name: 'webhook-test', requests: 10, windowSeconds: 60, per: 'resource' },
})

export const listDeliveryLogs = defineOperation({
  id: 'webhooks.logs',
  method: 'GET',
  path: `${path}/{id}/logs`,
  auth,
  summary: 'List the attempts to deliver to a webhook, newest first',
  request: {
    params: byId,
    query: z.object({ status: z.enum(deliveryStatuses).optional(), ...pageQuery(20) }),
  },
  status: 200,
  response: namedListOf('logs', deliveryLog),
})
