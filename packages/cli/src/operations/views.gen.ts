// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CreateView, MessageReply, Page, UpdateView, View, ViewsListQuery } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const views = {
  list: operation<ViewsListQuery, Page<View>>({
    name: 'list',
    summary: 'List saved views by their names',
    need: 'session',
    reply: ["_id","tenantId","name","filter","sort","isShared","ownerId","createdAt","updatedAt"],
    fields: [],
    send: (crm, _id, input) => crm.views.list(input),
  }),
  get: operation<NoInput, View>({
    name: 'get',
    summary: 'Get one saved view',
    need: 'session',
    reply: ["_id","tenantId","name","filter","sort","isShared","ownerId","createdAt","updatedAt"],
    fields: [],
    send: (crm, id) => crm.views.get(id),
  }),
  create: operation<CreateView, View>({
    name: 'create',
    summary: 'Save a view of conversations',
    need: 'session',
    reply: ["_id","tenantId","name","filter","sort","isShared","ownerId","createdAt","updatedAt"],
    fields: [
      {"name":"name","type":"text","text":"name of the view, for people","value":"name","isRequired":true},
      {"name":"sort","type":"text","text":"order of the conversations, as in their list; default: -updatedAt","value":"order","choices":["createdAt","-createdAt","updatedAt","-updatedAt","priority","lastMessageAt","-lastMessageAt","waiting"]},
      {"name":"isShared","type":"flag","text":"whether the whole team sees it; default: false","value":"text"},
    ],
    example: '--name \'Urgent repairs\'',
    send: (crm, _id, input) => crm.views.create(input),
  }),
  update: operation<UpdateView, View>({
    name: 'update',
    summary: 'Change a saved view: one’s own, or as an admin a shared one',
    need: 'session',
    reply: ["_id","tenantId","name","filter","sort","isShared","ownerId","createdAt","updatedAt"],
    fields: [
      {"name":"name","type":"text","text":"name of the view, for people","value":"name"},
      {"name":"sort","type":"text","text":"order of the conversations, as in their list","value":"order","choices":["createdAt","-createdAt","updatedAt","-updatedAt","priority","lastMessageAt","-lastMessageAt","waiting"]},
      {"name":"isShared","type":"flag","text":"whether the whole team sees it","value":"text"},
    ],
    example: '--name Repairs',
    send: (crm, id, input) => crm.views.update(id, input),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Delete a saved view: one’s own, or as an admin a shared one',
    need: 'session',
    fields: [],
    send: (crm, id) => crm.views.delete(id),
  }),
}
