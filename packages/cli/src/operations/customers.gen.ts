// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CreateCustomer, Customer, CustomerDetails, CustomerTags, CustomersListQuery, MergeCustomers, MessageReply, Page, UpdateCustomer } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const customers = {
  list: operation<CustomersListQuery, Page<Customer>>({
    name: 'list',
    summary: 'List customers, newest first',
    need: 'any',
    fields: [
      {"name":"ids","type":"list","text":"only the customers with these ids, at most 100, comma separated","value":"list"},
      {"name":"search","type":"text","text":"terms that must all occur in name, e-mail, phone or company","value":"terms"},
      {"name":"email","type":"text","text":"only customers with this e-mail, without regard to case","value":"email"},
      {"name":"externalId","type":"text","text":"only the customer with this id in another system, as source:id","value":"id"},
      {"name":"tier","type":"text","text":"only customers of this tier","value":"tier","choices":["bronze","silver","gold","platinum"]},
      {"name":"status","type":"text","text":"only customers of this status","value":"status","choices":["active","inactive","archived"]},
      {"name":"tags","type":"list","text":"only customers that have all of these tags, comma separated","value":"list"},
      {"name":"updatedSince","type":"moment","text":"only customers that changed at or after this time, such as 2026-11-01","value":"time"},
      {"name":"sort","type":"text","text":"order of the rows; - means descending","value":"order","choices":["createdAt","-createdAt","updatedAt","-updatedAt","lastName"]},
    ],
    send: (crm, _id, input) => crm.customers.list(input),
  }),
  get: operation<NoInput, CustomerDetails>({
    name: 'get',
    summary: 'Get one customer',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.customers.get(id),
  }),
  create: operation<CreateCustomer, Customer>({
    name: 'create',
    summary: 'Create a customer',
    need: 'any',
    fields: [
      {"name":"firstName","type":"text","text":"first name","value":"name","isNullable":true},
      {"name":"lastName","type":"text","text":"last name","value":"name","isNullable":true},
      {"name":"email","type":"text","text":"e-mail address","value":"email","isNullable":true},
      {"name":"phone","type":"text","text":"phone number, as entered","value":"number","isNullable":true},
      {"name":"company","type":"text","text":"company that the customer works for","value":"name","isNullable":true},
      {"name":"jobTitle","type":"text","text":"position in the company","value":"title","isNullable":true},
      {"name":"tier","type":"text","text":"service level; default: bronze","value":"tier","choices":["bronze","silver","gold","platinum"],"isNullable":true},
      {"name":"tags","type":"list","text":"tags, unique without regard to case, comma separated","value":"list","isNullable":true},
    ],
    send: (crm, _id, input) => crm.customers.create(input),
  }),
  update: operation<UpdateCustomer, Customer>({
    name: 'update',
    summary: 'Update a customer',
    need: 'any',
    fields: [
      {"name":"firstName","type":"text","text":"first name","value":"name","isNullable":true},
      {"name":"lastName","type":"text","text":"last name","value":"name","isNullable":true},
      {"name":"email","type":"text","text":"e-mail address","value":"email","isNullable":true},
      {"name":"phone","type":"text","text":"phone number, as entered","value":"number","isNullable":true},
      {"name":"company","type":"text","text":"company that the customer works for","value":"name","isNullable":true},
      {"name":"jobTitle","type":"text","text":"position in the company","value":"title","isNullable":true},
      {"name":"tier","type":"text","text":"service level","value":"tier","choices":["bronze","silver","gold","platinum"],"isNullable":true},
      {"name":"tags","type":"list","text":"tags, unique without regard to case, comma separated","value":"list","isNullable":true},
      {"name":"status","type":"text","text":"state of the relationship","value":"status","choices":["active","inactive","archived"],"isNullable":true},
    ],
    send: (crm, id, input) => crm.customers.update(id, input),
  }),
  delete: operation<NoInput, MessageReply>({
    name: 'delete',
    summary: 'Permanently delete a customer and all data that belongs to it',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.customers.delete(id),
  }),
  merge: operation<MergeCustomers, Customer>({
    name: 'merge',
    summary: 'Merge another customer into this one',
    need: 'any',
    fields: [
      {"name":"sourceId","type":"text","text":"id of the customer to merge into this one","value":"id","isRequired":true},
    ],
    send: (crm, id, input) => crm.customers.merge(id, input),
  }),
  block: operation<NoInput, Customer>({
    name: 'block',
    summary: 'Block a customer',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.customers.block(id),
  }),
  unblock: operation<NoInput, Customer>({
    name: 'unblock',
    summary: 'Unblock a customer',
    need: 'any',
    fields: [],
    send: (crm, id) => crm.customers.unblock(id),
  }),
  addTags: operation<CustomerTags, Customer>({
    name: 'addTags',
    summary: 'Add tags to a customer',
    need: 'any',
    fields: [
      {"name":"tags","type":"list","text":"tags to add or to remove, comma separated","value":"list","isRequired":true},
    ],
    send: (crm, id, input) => crm.customers.addTags(id, input),
  }),
  removeTags: operation<CustomerTags, Customer>({
    name: 'removeTags',
    summary: 'Remove tags from a customer, without regard to case',
    need: 'any',
    fields: [
      {"name":"tags","type":"list","text":"tags to add or to remove, comma separated","value":"list","isRequired":true},
    ],
    send: (crm, id, input) => crm.customers.removeTags(id, input),
  }),
}
