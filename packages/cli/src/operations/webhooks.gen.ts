// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CreateWebhook, CreatedWebhook, DeliveryLog, MessageReply, Page, RecoverDeliveries, RecoveredDeliveries, RotateWebhookSecret, TestedDelivery, UpdateWebhook, Webhook, WebhooksListQuery, WebhooksLogsQuery } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const webhooks = {
  list: operation<WebhooksListQuery, Page<Webhook>>({
    name: 'list',
    summary: 'List webhooks, newest first',
    need: 'any',
    reply: ["_id","tenantId","name","url","events","isActive","headers","retryPolicy","health","previousSecretExpiresAt","createdAt","updatedAt"],
    fields: [
      {"name":"isActive","type":"flag","text":"only active webhooks (true) or only inactive ones (false)","value":"text"},
    ],
    send: (crm, _id, input) => crm.webhooks.list(input),
  }),
  create: operation<CreateWebhook, CreatedWebhook>({
    name: 'create',
    summary: 'Create a webhook; its signing secret is shown once',
    need: 'any',
    reply: ["_id","tenantId","name","url","events","isActive","headers","retryPolicy","health","previousSecretExpiresAt","createdAt","updatedAt","secret"],
    fields: [
      {"name":"name","type":"text","text":"name of the webhook","value":"name","isRequired":true},
      {"name":"url","type":"text","text":"HTTPS address of the receiver","value":"url","isRequired":true},
      {"name":"events","type":"list","text":"event types to deliver, comma separated: conversation.created, conversation.updated, conversation.assigned, conversation.closed, customer.created, customer.updated, message.sent, message.received, user.created, user.updated, call.initiated, call.ringing, call.answered, call.completed, call.failed, call.recording.available, mention.created, conversation.merged, conversation.unmerged, customer.deleted, conversation.deleted, user.deleted, message.updated, message.deleted, note.created, mail.parked, inbox.failing, inbox.recovered, integration.failing, integration.recovered","value":"list","choices":["conversation.created","conversation.updated","conversation.assigned","conversation.closed","customer.created","customer.updated","message.sent","message.received","user.created","user.updated","call.initiated","call.ringing","call.answered","call.completed","call.failed","call.recording.available","mention.created","conversation.merged","conversation.unmerged","customer.deleted","conversation.deleted","user.deleted","message.updated","message.deleted","note.created","mail.parked","inbox.failing","inbox.recovered","integration.failing","integration.recovered"],"isRequired":true},
    ],
    example: '--name Orders --url https://hooks.example.com/crm --events customer.created,conversation.closed',
    send: (crm, _id, input) => crm.webhooks.create(input),
  }),
  get: operation<NoInput, Webhook>({
    name: 'get',
    summary: 'Get one webhook',
    need: 'any',
    reply: ["_id","tenantId","name","url","events","isActive","headers","retryPolicy","health","previousSecretExpiresAt","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.webhooks.get(id),
  }),
  update: operation<UpdateWebhook, Webhook>({
    name: 'update',
    summary: 'Update a webhook',
    need: 'any',
    reply: ["_id","tenantId","name","url","events","isActive","headers","retryPolicy","health","previousSecretExpiresAt","createdAt","updatedAt"],
    fields: [
      {"name":"name","type":"text","text":"name of the webhook","value":"name"},
      {"name":"url","type":"text","text":"HTTPS address of the receiver","value":"url"},
      {"name":"events","type":"list","text":"event types to deliver, comma separated: conversation.created, conversation.updated, conversation.assigned, conversation.closed, customer.created, customer.updated, message.sent, message.received, user.created, user.updated, call.initiated, call.ringing, call.answered, call.completed, call.failed, call.recording.available, mention.created, conversation.merged, conversation.unmerged, customer.deleted, conversation.deleted, user.deleted, message.updated, message.deleted, note.created, mail.parked, inbox.failing, inbox.recovered, integration.failing, integration.recovered","value":"list","choices":["conversation.created","conversation.updated","conversation.assigned","conversation.closed","customer.created","customer.updated","message.sent","message.received","user.created","user.updated","call.initiated","call.ringing","call.answered","call.completed","call.failed","call.recording.available","mention.created","conversation.merged","conversation.unmerged","customer.deleted","conversation.deleted","user.deleted","message.updated","message.deleted","note.created","mail.parked","inbox.failing","inbox.recovered","integration.failing","integration.recovered"]},
      {"name":"isActive","type":"flag","text":"whether events are delivered","value":"text","isNullable":true},
    ],
    example: '--no-is-active',
    send: (crm, id, input) => crm.webhooks.update(id, input),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Permanently delete a webhook; deliveries stop immediately',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.webhooks.delete(id),
  }),
  test: operation<NoInput, TestedDelivery>({
    name: 'test',
    summary: 'Send one test event now and return the result of the attempt',
    need: 'any',
    reply: ["_id","webhookId","event","status","statusCode","attempt","deliveredAt","responseTime","error","errorCode","eventId","deliveryId","nextAttemptAt","timings","remoteAddress","createdAt","request"],
    fields: [],
    send: (crm, id) => crm.webhooks.test(id),
  }),
  logs: operation<WebhooksLogsQuery, Page<DeliveryLog>>({
    name: 'logs',
    summary: 'List the delivery attempts of a webhook, newest first',
    need: 'any',
    reply: ["_id","webhookId","event","status","statusCode","attempt","deliveredAt","responseTime","error","errorCode","eventId","deliveryId","nextAttemptAt","timings","remoteAddress","createdAt"],
    fields: [
      {"name":"status","type":"text","text":"only attempts of this status","value":"status","choices":["pending","success","failed"]},
    ],
    send: (crm, id, input) => crm.webhooks.logs(id, input),
  }),
  rotateSecret: operation<RotateWebhookSecret, CreatedWebhook>({
    name: 'rotateSecret',
    summary: 'Rotate the signing secret; the new secret is shown once',
    need: 'any',
    reply: ["_id","tenantId","name","url","events","isActive","headers","retryPolicy","health","previousSecretExpiresAt","createdAt","updatedAt","secret"],
    fields: [
      {"name":"overlapSeconds","type":"integer","text":"seconds for which the previous secret stays valid; 0 ends it immediately; default: 86400","value":"number","isNullable":true},
    ],
    example: '--overlap-seconds 86400',
    send: (crm, id, input) => crm.webhooks.rotateSecret(id, input),
  }),
  recover: operation<RecoverDeliveries, RecoveredDeliveries>({
    name: 'recover',
    summary: 'Replay missing or permanently failed deliveries, up to 1,000 events per call',
    need: 'any',
    reply: ["matched","created","nextCursor"],
    fields: [
      {"name":"since","type":"moment","text":"events from this time on, but none from before the webhook or the last change of its events, such as 2026-11-01","value":"time","isRequired":true},
      {"name":"until","type":"moment","text":"events up to this time; default: now, such as 2026-11-01","value":"time","isNullable":true},
      {"name":"dryRun","type":"flag","text":"count the events and create no delivery","value":"text","isNullable":true},
    ],
    example: '--since 2030-01-07T09:00:00.000Z',
    send: (crm, id, input) => crm.webhooks.recover(id, input),
  }),
}
