import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, messageReply, namedListOf } from '../contract/envelopes.ts'
import { pageQuery, queryBoolean } from '../shared/page.ts'
import {
  createdWebhook,
  createWebhookBody,
  deliveryLog,
  recoverBody,
  recovered,
  rotateSecretBody,
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

const byLog = z.object({ id: z.string(), logId: z.string() })

export const getDeliveryLog = defineOperation({
  id: 'webhooks.getLog',
  method: 'GET',
  path: `${path}/{id}/logs/{logId}`,
  auth,
  summary: 'Get one attempt to deliver to a webhook',
  request: { params: byLog },
  status: 200,
  response: dataOf(deliveryLog),
})

export const redeliver = defineOperation({
  id: 'webhooks.redeliver',
  method: 'POST',
  path: `${path}/{id}/logs/{logId}/redeliver`,
  auth,
  summary: 'Send the event of an attempt to the webhook again at once',
  description:
    'Also when it was delivered. The attempt numbers go on; the answer is the planned attempt. A delivery whose next attempt is planned already keeps that one. An event from before the last change of the `url` is only sent again for a caller who may read it.',
  request: { params: byLog },
  status: 200,
  response: dataOf(deliveryLog),
})

export const rotateWebhookSecret = defineOperation({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: `${path}/{id}/rotate-secret`,
  auth,
  summary: 'Make a new signing secret, which is shown once',
  description:
    'Until the overlap (24 hours unless told otherwise) ends, `webhook-signature` holds signatures of both secrets, `X-Webhook-Signature` that of the old one and `X-Webhook-Signature-Next` that of the new one.',
  request: { params: byId, body: rotateSecretBody },
  status: 200,
  response: dataOf(createdWebhook),
  idempotency: 'secret',
})

export const recoverDeliveries = defineOperation({
  id: 'webhooks.recover',
  method: 'POST',
  path: `${path}/{id}/recover`,
  // What was sent once may be read in the receiver: managing webhooks alone does not open it.
  auth: sessionOrKey('webhook:manage', 'read:customers', 'read:conversations'),
  summary: 'Make the deliveries that are missing or failed for good, up to 1,000 events a call',
  description:
    'Call again with `nextCursor` until it is null. Calling again from the start does no harm: each event is delivered to a webhook once. Erased events are left out. The caller needs read:customers and read:conversations too.',
  request: { params: byId, body: recoverBody },
  status: 200,
  response: dataOf(recovered),
})
