// Generated from the contract by scripts/generate.ts. Do not edit.
import type { Draft, DraftsListOwnQuery, DraftsListQuery, MessageReply, OwnDraft, Page, SaveDraft } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const drafts = {
  save: operation<SaveDraft, Draft>({
    name: 'save',
    summary: 'Create or replace the caller’s own draft in a conversation',
    need: 'any',
    reply: ["_id","tenantId","conversationId","author","type","content","contentType","attachments","to","cc","bcc","basis","recipientsHidden","sendAt","sendUnlessReplied","basedOn","ifSeq","sendError","version","createdAt","updatedAt"],
    fields: [
      {"name":"content","type":"text","text":"text of the draft; it may be empty","value":"text","isNullable":true},
      {"name":"type","type":"text","text":"kind of the message that it becomes: reply to the customer or note for the team","value":"type","choices":["reply","note"],"isNullable":true},
      {"name":"contentType","type":"text","text":"markup of content","value":"type","choices":["text","markdown","html"],"isNullable":true},
      {"name":"attachments","type":"list","text":"ids of uploaded files, comma separated","value":"list","isNullable":true},
      {"name":"to","type":"list","text":"recipients of the e-mail, comma separated","value":"list","isNullable":true},
      {"name":"cc","type":"list","text":"recipients of a copy, comma separated","value":"list","isNullable":true},
      {"name":"bcc","type":"list","text":"hidden recipients of a copy, comma separated","value":"list","isNullable":true},
      {"name":"sendAt","type":"moment","text":"time at which the service sends the draft: in the future, at most 366 days from now, and only with a text or a file, such as 2026-11-01","value":"time","isNullable":true},
      {"name":"sendUnlessReplied","type":"flag","text":"whether a message of the customer, or a reply of somebody else, after the last change of the draft stops it","value":"text","isNullable":true},
      {"name":"ifSeq","type":"integer","text":"seq of the conversation that the author has read","value":"number","isNullable":true},
      {"name":"basedOn","type":"text","text":"id of the draft of somebody else that this one is an edited form of","value":"text","isNullable":true},
      {"name":"expectedVersion","type":"integer","text":"version that the draft must have, 0 for none yet","value":"number","isNullable":true},
    ],
    example: '--content \'It is on its way.\'',
    send: (crm, id, input) => crm.drafts.save(id, input),
  }),
  discard: operation<NoInput, MessageReply>({
    name: 'discard',
    summary: 'Delete the caller’s own draft in a conversation, if there is one',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.drafts.discard(id),
  }),
  list: operation<DraftsListQuery, Page<Draft>>({
    name: 'list',
    summary: 'List the drafts of all authors in a conversation, oldest first',
    need: 'any',
    reply: ["_id","tenantId","conversationId","author","type","content","contentType","attachments","to","cc","bcc","basis","recipientsHidden","sendAt","sendUnlessReplied","basedOn","ifSeq","sendError","version","createdAt","updatedAt"],
    fields: [],
    send: (crm, id, input) => crm.drafts.list(id, input),
  }),
  listOwn: operation<DraftsListOwnQuery, Page<OwnDraft>>({
    name: 'listOwn',
    summary: 'List the own drafts that were not sent or are planned, the last changed first',
    need: 'session',
    reply: ["_id","tenantId","conversationId","author","type","content","contentType","attachments","to","cc","bcc","basis","recipientsHidden","sendAt","sendUnlessReplied","basedOn","ifSeq","sendError","version","createdAt","updatedAt","conversation"],
    fields: [
      {"name":"state","type":"text","text":"unsent or planned","value":"state","choices":["unsent","planned"]},
    ],
    send: (crm, _id, input) => crm.drafts.listOwn(input),
  }),
}
