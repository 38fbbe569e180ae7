// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CannedRepliesListQuery, CannedReply, CreateCannedReply, MessageReply, Page, RenderCannedReply, RenderedReply, UpdateCannedReply } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const cannedReplies = {
  list: operation<CannedRepliesListQuery, Page<CannedReply>>({
    name: 'list',
    summary: 'List canned replies by their shortcuts',
    need: 'any',
    reply: ["_id","tenantId","shortcut","title","content","contentType","inboxIds","isShared","ownerId","createdAt","updatedAt"],
    fields: [
      {"name":"shortcut","type":"text","text":"only those with this shortcut","value":"text"},
    ],
    send: (crm, _id, input) => crm.cannedReplies.list(input),
  }),
  get: operation<NoInput, CannedReply>({
    name: 'get',
    summary: 'Get one canned reply',
    need: 'any',
    reply: ["_id","tenantId","shortcut","title","content","contentType","inboxIds","isShared","ownerId","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.cannedReplies.get(id),
  }),
  create: operation<CreateCannedReply, CannedReply>({
    name: 'create',
    summary: 'Create a canned reply',
    need: 'any',
    reply: ["_id","tenantId","shortcut","title","content","contentType","inboxIds","isShared","ownerId","createdAt","updatedAt"],
    fields: [
      {"name":"shortcut","type":"text","text":"word that finds the canned reply in the composer: 1 to 40 small letters, digits, - and _","value":"text","isRequired":true},
      {"name":"title","type":"text","text":"title, for people","value":"title","isRequired":true},
      {"name":"content","type":"text","text":"text of the reply. {{customer.firstName}} is replaced by its value, and {{customer.firstName|there}} by there when there is none","value":"text","isRequired":true},
      {"name":"contentType","type":"text","text":"markup of content; default: text","value":"type","choices":["text","markdown"]},
      {"name":"inboxIds","type":"list","text":"ids of the inboxes in which it is offered, comma separated","value":"list"},
      {"name":"isShared","type":"flag","text":"whether the whole team has it; default: true","value":"text"},
    ],
    example: '--shortcut repair --title \'Repair is on its way\' --content \'Hello {{customer.firstName|there}}, your lamp is being repaired.\'',
    send: (crm, _id, input) => crm.cannedReplies.create(input),
  }),
  update: operation<UpdateCannedReply, CannedReply>({
    name: 'update',
    summary: 'Change a canned reply: one’s own, or one of the team',
    need: 'any',
    reply: ["_id","tenantId","shortcut","title","content","contentType","inboxIds","isShared","ownerId","createdAt","updatedAt"],
    fields: [
      {"name":"shortcut","type":"text","text":"word that finds the canned reply in the composer: 1 to 40 small letters, digits, - and _","value":"text"},
      {"name":"title","type":"text","text":"title, for people","value":"title"},
      {"name":"content","type":"text","text":"text of the reply. {{customer.firstName}} is replaced by its value, and {{customer.firstName|there}} by there when there is none","value":"text"},
      {"name":"contentType","type":"text","text":"markup of content","value":"type","choices":["text","markdown"]},
      {"name":"inboxIds","type":"list","text":"ids of the inboxes in which it is offered, comma separated","value":"list"},
      {"name":"isShared","type":"flag","text":"whether the whole team has it","value":"text"},
    ],
    example: '--title \'Repair has begun\'',
    send: (crm, id, input) => crm.cannedReplies.update(id, input),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Delete a canned reply: one’s own, or as an admin one of the team',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.cannedReplies.delete(id),
  }),
  render: operation<RenderCannedReply, RenderedReply>({
    name: 'render',
    summary: 'Fill a canned reply with the values of a conversation',
    need: 'any',
    reply: ["content","contentType","missing"],
    fields: [
      {"name":"conversationId","type":"text","text":"conversation that the values are of","value":"id","isRequired":true},
    ],
    example: '--conversation-id con_01JD0000000000000000000000',
    send: (crm, id, input) => crm.cannedReplies.render(id, input),
  }),
}
