// Generated from the contract by scripts/generate.ts. Do not edit.
import type { Conversation, ConversationCounts, ConversationsCountsQuery, ConversationsListQuery, CreateConversation, DeleteConversation, Labels, MessageReply, Page, PopulatedConversation, Presence, ReadConversation, ReadState, ReplyRecipients, SetPresence, UnreadConversation, UpdateConversation } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const conversations = {
  list: operation<ConversationsListQuery, Page<Conversation>>({
    name: 'list',
    summary: 'List conversations, latest change first',
    need: 'any',
    fields: [
      {"name":"status","type":"list","text":"only conversations in one of these states, comma separated: open, closed, pending, snoozed","value":"list","choices":["open","closed","pending","snoozed"]},
      {"name":"priority","type":"text","text":"only conversations of this priority","value":"priority","choices":["low","medium","high","urgent"]},
      {"name":"channel","type":"text","text":"only conversations of this channel","value":"channel","choices":["email","chat","phone","whatsapp","instagram","twitter","facebook","sms"]},
      {"name":"assignedTo","type":"text","text":"only conversations of this user; me is the signed-in user, none finds the unassigned","value":"number"},
      {"name":"inboxId","type":"text","text":"only conversations of this inbox","value":"id"},
      {"name":"customerId","type":"text","text":"only conversations of this customer","value":"id"},
      {"name":"label","type":"text","text":"only conversations with this label","value":"label"},
      {"name":"search","type":"text","text":"terms that must all occur in the subject, in one message, or in the customer","value":"terms"},
      {"name":"updatedSince","type":"moment","text":"only conversations that changed at or after this time, such as 2026-11-01","value":"time"},
      {"name":"sort","type":"text","text":"order of the rows; - means descending","value":"order","choices":["createdAt","-createdAt","updatedAt","-updatedAt","priority"]},
    ],
    send: (crm, _id, input) => crm.conversations.list(input),
  }),
  get: operation<NoInput, PopulatedConversation>({
    name: 'get',
    summary: 'Get one conversation with its customer and its assignee',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.conversations.get(id),
  }),
  create: operation<CreateConversation, Conversation>({
    name: 'create',
    summary: 'Create a conversation, optionally with its first message',
    need: 'any',
    fields: [
      {"name":"subject","type":"text","text":"subject line","value":"text","isRequired":true},
      {"name":"inboxId","type":"text","text":"id of the inbox that the conversation belongs to","value":"id","isRequired":true},
      {"name":"customerId","type":"text","text":"id of the customer","value":"id","isNullable":true},
      {"name":"channel","type":"text","text":"channel that the conversation takes place on; default: email","value":"channel","choices":["email","chat","phone","whatsapp","instagram","twitter","facebook","sms"],"isNullable":true},
      {"name":"priority","type":"text","text":"priority; default: medium","value":"priority","choices":["low","medium","high","urgent"],"isNullable":true},
      {"name":"labels","type":"list","text":"labels, unique without regard to case, comma separated","value":"list","isNullable":true},
      {"name":"assignedTo","type":"text","text":"id of the user who is assigned","value":"number","isNullable":true},
    ],
    example: '--subject \'The relay is stuck\' --inbox-id inb_01JD0000000000000000000000',
    send: (crm, _id, input) => crm.conversations.create(input),
  }),
  update: operation<UpdateConversation, Conversation>({
    name: 'update',
    summary: 'Update a conversation: status, assignee, snooze and more',
    need: 'any',
    fields: [
      {"name":"subject","type":"text","text":"subject line","value":"text"},
      {"name":"status","type":"text","text":"state. snoozed becomes open at snoozedUntil","value":"status","choices":["open","closed","pending","snoozed"],"isNullable":true},
      {"name":"priority","type":"text","text":"priority","value":"priority","choices":["low","medium","high","urgent"],"isNullable":true},
      {"name":"assignedTo","type":"text","text":"id of the user who is assigned","value":"number","isNullable":true},
      {"name":"labels","type":"list","text":"labels, unique without regard to case, comma separated","value":"list","isNullable":true},
      {"name":"inboxId","type":"text","text":"id of the inbox that the conversation belongs to","value":"id"},
      {"name":"customerId","type":"text","text":"id of the customer","value":"id","isNullable":true},
      {"name":"channel","type":"text","text":"channel that the conversation takes place on","value":"channel","choices":["email","chat","phone","whatsapp","instagram","twitter","facebook","sms"],"isNullable":true},
      {"name":"snoozedUntil","type":"moment","text":"time at which a snoozed conversation opens, such as 2026-11-01","value":"time","isNullable":true},
      {"name":"wakeOnReply","type":"flag","text":"whether an inbound message opens a snoozed conversation","value":"text","isNullable":true},
    ],
    example: '--status snoozed',
    send: (crm, id, input) => crm.conversations.update(id, input),
  }),
  delete: operation<DeleteConversation, MessageReply>({
    name: 'delete',
    summary: 'Permanently delete a conversation with all its messages and their files',
    need: 'any',
    fields: [
      {"name":"reason","type":"text","text":"reason for the audit log","value":"text","isNullable":true},
    ],
    example: '--reason \'Opened by mistake\'',
    send: (crm, id, input) => crm.conversations.delete(id, input),
  }),
  addLabels: operation<Labels, Conversation>({
    name: 'addLabels',
    summary: 'Add labels to a conversation',
    need: 'any',
    fields: [
      {"name":"labels","type":"list","text":"labels to add or to remove, comma separated","value":"list","isRequired":true},
    ],
    example: '--labels hardware,urgent',
    send: (crm, id, input) => crm.conversations.addLabels(id, input),
  }),
  removeLabels: operation<Labels, Conversation>({
    name: 'removeLabels',
    summary: 'Remove labels from a conversation, without regard to case',
    need: 'any',
    fields: [
      {"name":"labels","type":"list","text":"labels to add or to remove, comma separated","value":"list","isRequired":true},
    ],
    example: '--labels urgent',
    send: (crm, id, input) => crm.conversations.removeLabels(id, input),
  }),
  counts: operation<ConversationsCountsQuery, ConversationCounts>({
    name: 'counts',
    summary: 'Count the conversations of each view, and those that the signed-in user has not read',
    need: 'session',
    fields: [
      {"name":"view","type":"list","text":"only these views: names, and ids of inboxes; default: all, comma separated","value":"list"},
    ],
    send: (crm, _id, input) => crm.conversations.counts(input),
  }),
  recipients: operation<NoInput, ReplyRecipients>({
    name: 'recipients',
    summary: 'Show who gets the next reply by e-mail when it names no recipients',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.conversations.recipients(id),
  }),
  setPresence: operation<SetPresence, Presence[]>({
    name: 'setPresence',
    summary: 'Show colleagues that you view a conversation, reply to it, or have left it',
    need: 'session',
    fields: [
      {"name":"state","type":"text","text":"none when the caller has left the conversation","value":"state","choices":["viewing","replying","none"],"isRequired":true},
    ],
    example: '--state replying',
    send: (crm, id, input) => crm.conversations.setPresence(id, input),
  }),
  read: operation<ReadConversation, ReadState>({
    name: 'read',
    summary: 'Mark a conversation as read by the signed-in user',
    need: 'session',
    fields: [
      {"name":"seq","type":"integer","text":"seq up to which the user has read; default, and the most: that of the conversation","value":"number","isNullable":true},
    ],
    example: '--seq 12',
    send: (crm, id, input) => crm.conversations.read(id, input),
  }),
  unread: operation<UnreadConversation, ReadState>({
    name: 'unread',
    summary: 'Mark a message of a conversation, and the newer ones, as unread by the signed-in user',
    need: 'session',
    fields: [
      {"name":"messageId","type":"text","text":"id of the oldest unread message; default: the newest one by somebody else","value":"id","isNullable":true},
    ],
    example: '--message-id msg_01J8ZQ4W7NQ0V6M5K3D2E1F0GH',
    send: (crm, id, input) => crm.conversations.unread(id, input),
  }),
}
