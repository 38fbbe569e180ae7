import { z } from 'zod'
import { defineOperation, none, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, messageReply, namedListOf, successFlag } from '../contract/envelopes.ts'
import { byId, ownId } from '../shared/common-fields.ts'
import { pageQuery, queryBoolean } from '../shared/page.ts'
import {
  createdWebhook,
  createWebhookBody,
  deliveryLog,
  loggedDelivery,
  recoverBody,
  recovered,
  rotateSecretBody,
  testedDelivery,
  updateWebhookBody,
  webhook,
} from './webhook.ts'
import { deliveryStatuses } from './webhook-values.ts'

const path = '/api/v1/webhooks'
const params = byId('webhook')
const auth = sessionOrKey('webhook:manage')

export const listWebhooks = defineOperation({
  id: 'webhooks.list',
  method: 'GET',
  path,
  auth,
  summary: 'List webhooks, newest first',
  request: {
    query: z.object({
      isActive: queryBoolean
        .optional()
        .describe('Only active webhooks (true) or only inactive ones (false).'),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: namedListOf('webhooks', webhook),
})

export const createWebhook = defineOperation({
  id: 'webhooks.create',
  method: 'POST',
  path,
  auth,
  audit: 'webhook.created',
  summary: 'Create a webhook; its signing secret is shown once',
  description:
    'A tenant has at most 50 webhooks. The URL must be HTTPS and resolve to a public address. The caller also needs the permissions to read the events. When the caller loses them, the webhook is deactivated. The default of 3 retries ends 14 s after the first attempt; 10 retries end after 34 minutes. A delivery that failed permanently is replayed with `recover`.',
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
  request: { params },
  status: 200,
  response: dataOf(webhook),
})

export const updateWebhook = defineOperation({
  id: 'webhooks.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth,
  audit: 'webhook.updated',
  summary: 'Update a webhook',
  description:
    'A change of `events` or `url` and an activation need the permissions to read the events, and make the caller the maker of the webhook. A signed-in user becomes the maker with `isActive: true` even if it is active. After a deactivation, `recover` replays missed events.',
  request: { params, body: updateWebhookBody },
  status: 200,
  response: dataOf(webhook),
})

export const deleteWebhook = defineOperation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth,
  audit: 'webhook.deleted',
  summary: 'Permanently delete a webhook; deliveries stop immediately',
  request: { params },
  status: 200,
  response: messageReply,
})

export const testWebhook = defineOperation({
  id: 'webhooks.test',
  method: 'POST',
  path: `${path}/{id}/test`,
  auth,
  audit: none('nothing of the tenant changes: the log of deliveries lists the attempt'),
  summary: 'Send one test event now and return the result of the attempt',
  description:
    'Makes one attempt without retries, even if the webhook is inactive. The status is 200 whether the receiver accepted the event or not.',
  request: { params },
  status: 200,
  response: z.object({
    success: successFlag,
    message: z.literal('Test event sent').describe('Confirmation for people.'),
    data: testedDelivery,
  }),
  limit: { name: 'webhook-test', requests: 10, windowSeconds: 60, per: 'resource' },
})

export const listDeliveryLogs = defineOperation({
  id: 'webhooks.logs',
  method: 'GET',
  path: `${path}/{id}/logs`,
  auth,
  summary: 'List the delivery attempts of a webhook, newest first',
  request: {
    params,
    query: z.object({
      status: z.enum(deliveryStatuses).optional().describe('Only attempts of this status.'),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: namedListOf('logs', deliveryLog),
})

const byLog = params.extend({ logId: ownId('log row') })

export const getDeliveryLog = defineOperation({
  id: 'webhooks.getLog',
  method: 'GET',
  path: `${path}/{id}/logs/{logId}`,
  auth,
  summary: 'Get one delivery attempt of a webhook, with its request',
  description:
    'Of the response of the receiver it shows the status, the error and the times, and never the body or a header.',
  request: { params: byLog },
  status: 200,
  response: dataOf(loggedDelivery),
})

export const redeliver = defineOperation({
  id: 'webhooks.redeliver',
  method: 'POST',
  path: `${path}/{id}/logs/{logId}/redeliver`,
  auth,
  audit: 'webhook.redelivered',
  summary: 'Deliver the event of an attempt again, immediately',
  description:
    'Works for delivered events too. The response is the planned attempt, and its number continues the earlier ones. A delivery with a planned attempt keeps that attempt. For an event from before the last change of the `url`, the caller needs the permission to read the event.',
  request: { params: byLog },
  status: 200,
  response: dataOf(deliveryLog),
})

export const rotateWebhookSecret = defineOperation({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: `${path}/{id}/rotate-secret`,
  auth,
  audit: 'webhook.secretRotated',
  summary: 'Rotate the signing secret; the new secret is shown once',
  description:
    'During the overlap (default 24 hours) `webhook-signature` contains signatures with both secrets, `X-Webhook-Signature` the signature with the old secret, and `X-Webhook-Signature-Next` the signature with the new secret.',
  request: { params, body: rotateSecretBody },
  status: 200,
  response: dataOf(createdWebhook),
  idempotency: 'secret',
})

export const recoverDeliveries = defineOperation({
  id: 'webhooks.recover',
  method: 'POST',
  path: `${path}/{id}/recover`,
  // A receiver can read the events it gets: the permission to manage webhooks alone does not open old events.
  auth: sessionOrKey('webhook:manage', 'read:customers', 'read:conversations'),
  audit: 'webhook.recovered',
  summary: 'Replay missing or permanently failed deliveries, up to 1,000 events per call',
  description:
    'Repeat the call with `nextCursor` until it is null. It is safe to start over: each event is delivered to a webhook once. Erased events are skipped. The caller also needs read:customers and read:conversations.',
  request: { params, body: recoverBody },
  status: 200,
  response: dataOf(recovered),
})
