// Generated from the contract by scripts/generate.ts. Do not edit.
import type { Conversation, InboundMail, MailsListQuery, MakeConversation, Page } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const mails = {
  list: operation<MailsListQuery, Page<InboundMail>>({
    name: 'list',
    summary: 'List the mails that arrived, newest first',
    need: 'session',
    reply: ["_id","tenantId","inboxId","door","status","reason","envelope","from","subject","rfcMessageId","sizeBytes","conversationId","messageId","duplicateOf","error","receivedAt","processedAt","rawDeletedAt","createdAt","updatedAt"],
    fields: [
      {"name":"status","type":"text","text":"only mails in this state","value":"status","choices":["received","processed","parked","ignored"]},
      {"name":"inboxId","type":"text","text":"only mails of this inbox","value":"id"},
      {"name":"reason","type":"text","text":"only mails with this reason","value":"reason","choices":["duplicate","discarded","loop","bounce","bounce_unknown","blocked","no_sender","parse_failed","too_complex","parse_timeout","inbox_inactive","inbox_deleted","too_large","fetch_failed","internal"]},
      {"name":"needsYou","type":"flag","text":"whether only mails that need a person: parked ones, and for 7 days those that claim to be a stored mail","value":"text"},
      {"name":"search","type":"text","text":"only mails whose sender or subject holds every word, among the 1,000 newest that need a person; the first 100 of them","value":"terms"},
    ],
    send: (crm, _id, input) => crm.mails.list(input),
  }),
  get: operation<NoInput, InboundMail>({
    name: 'get',
    summary: 'Get a mail that arrived',
    need: 'session',
    reply: ["_id","tenantId","inboxId","door","status","reason","envelope","from","subject","rfcMessageId","sizeBytes","conversationId","messageId","duplicateOf","error","receivedAt","processedAt","rawDeletedAt","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.mails.get(id),
  }),
  processAgain: operation<NoInput, InboundMail>({
    name: 'processAgain',
    summary: 'Process a parked mail again, or one of a sender who was blocked',
    need: 'session',
    reply: ["_id","tenantId","inboxId","door","status","reason","envelope","from","subject","rfcMessageId","sizeBytes","conversationId","messageId","duplicateOf","error","receivedAt","processedAt","rawDeletedAt","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.mails.processAgain(id),
  }),
  makeConversation: operation<MakeConversation, Conversation>({
    name: 'makeConversation',
    summary: 'Make a conversation of a mail that is parked, a duplicate or a loop',
    need: 'session',
    reply: ["_id","tenantId","subject","status","priority","channel","source","customerId","assignedTo","inboxId","labels","snoozedUntil","wakeOnReply","lastMessageAt","lastMessage","lastCustomerMessageAt","waitingSince","messageCount","seq","firstResponseAt","closedAt","readAt","rating","externalIds","page","customFields","participants","previousConversationId","mergedInto","mergedFrom","createdAt","updatedAt","unread"],
    fields: [
      {"name":"conversationId","type":"text","text":"adds the mail to this conversation","value":"id"},
      {"name":"customerId","type":"text","text":"customer of the new conversation; default: whoever has the address of the sender","value":"id"},
    ],
    send: (crm, id, input) => crm.mails.makeConversation(id, input),
  }),
  discard: operation<NoInput, InboundMail>({
    name: 'discard',
    summary: 'Discard a mail that needs a person',
    need: 'session',
    reply: ["_id","tenantId","inboxId","door","status","reason","envelope","from","subject","rfcMessageId","sizeBytes","conversationId","messageId","duplicateOf","error","receivedAt","processedAt","rawDeletedAt","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.mails.discard(id),
  }),
}
