// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CreateMessage, MailAttempt, Message, MessageReply, MessagesListQuery, Page, UpdateMessage } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const messages = {
  list: operation<MessagesListQuery, Page<Message>>({
    name: 'list',
    summary: 'List the messages of a conversation, oldest first',
    need: 'any',
    reply: ["_id","tenantId","conversationId","type","direction","sender","content","contentType","attachments","status","clientMessageId","externalId","email","recipients","via","mentions","draftedBy","choices","choice","sentAt","createdAt","updatedAt"],
    fields: [
      {"name":"order","type":"text","text":"asc: oldest first; desc: newest first","value":"order","choices":["asc","desc"]},
    ],
    send: (crm, id, input) => crm.messages.list(id, input),
  }),
  create: operation<CreateMessage, Message>({
    name: 'create',
    summary: 'Create a message: a reply, a note, or the record of an inbound message',
    need: 'any',
    reply: ["_id","tenantId","conversationId","type","direction","sender","content","contentType","attachments","status","clientMessageId","externalId","email","recipients","via","mentions","draftedBy","choices","choice","sentAt","createdAt","updatedAt"],
    fields: [
      {"name":"content","type":"text","text":"text of the message","value":"text","isNullable":true},
      {"name":"type","type":"text","text":"kind: reply to the customer or note for the team; default: reply","value":"type","choices":["reply","note"],"isNullable":true},
      {"name":"contentType","type":"text","text":"markup of content; default: text","value":"type","choices":["text","markdown","html"],"isNullable":true},
      {"name":"direction","type":"text","text":"inbound from the customer or outbound to the customer; default: outbound","value":"direction","choices":["inbound","outbound"],"isNullable":true},
      {"name":"attachments","type":"list","text":"ids of uploaded files, comma separated","value":"list","isNullable":true},
      {"name":"to","type":"list","text":"recipients of the e-mail; default: the customer, or who of the conversation wrote last, comma separated","value":"list","isNullable":true},
      {"name":"cc","type":"list","text":"recipients of a copy; default: everyone of the last mail, comma separated","value":"list","isNullable":true},
      {"name":"bcc","type":"list","text":"hidden recipients of a copy, comma separated","value":"list","isNullable":true},
      {"name":"subject","type":"text","text":"subject of the e-mail; default: that of the conversation","value":"text","isNullable":true},
      {"name":"clientMessageId","type":"text","text":"id that the client chose","value":"id","isNullable":true},
    ],
    example: '--content \'We have removed the moth.\'',
    send: (crm, id, input) => crm.messages.create(id, input),
  }),
  get: operation<NoInput, Message>({
    name: 'get',
    summary: 'Get one message',
    need: 'any',
    reply: ["_id","tenantId","conversationId","type","direction","sender","content","contentType","attachments","status","clientMessageId","externalId","email","recipients","via","mentions","draftedBy","choices","choice","sentAt","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.messages.get(id),
  }),
  update: operation<UpdateMessage, Message>({
    name: 'update',
    summary: 'Update the status of a message; it can only advance',
    need: 'any',
    reply: ["_id","tenantId","conversationId","type","direction","sender","content","contentType","attachments","status","clientMessageId","externalId","email","recipients","via","mentions","draftedBy","choices","choice","sentAt","createdAt","updatedAt"],
    fields: [
      {"name":"status","type":"text","text":"new status","value":"status","choices":["delivered","read","failed"]},
    ],
    example: '--status delivered',
    send: (crm, id, input) => crm.messages.update(id, input),
  }),
  attempts: operation<NoInput, MailAttempt[]>({
    name: 'attempts',
    summary: 'List the attempts to send a message by e-mail, oldest first',
    need: 'any',
    reply: ["attempt","at","outcome","code","response","recipients","host","durationMs"],
    fields: [],
    send: (crm, id) => crm.messages.attempts(id),
  }),
  sendAgain: operation<NoInput, Message>({
    name: 'sendAgain',
    summary: 'Send a failed e-mail again, to the recipients who did not get it',
    need: 'any',
    reply: ["_id","tenantId","conversationId","type","direction","sender","content","contentType","attachments","status","clientMessageId","externalId","email","recipients","via","mentions","draftedBy","choices","choice","sentAt","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.messages.sendAgain(id),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Take back a reply that is still queued',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.messages.delete(id),
  }),
}
