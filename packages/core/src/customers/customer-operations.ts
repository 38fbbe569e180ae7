import { z } from 'zod'
import { defineOperation, none, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply, successFlag } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { exportFormats } from '../shared/export-formats.ts'
import { pageQuery, queryArray } from '../shared/page.ts'
import { referenceTo } from '../shared/reference.ts'
import { moment } from '../shared/text.ts'
import {
  createCustomerBody,
  createCustomersBody,
  createdRow,
  customer,
  customerDetails,
  customerIncludes,
  customerMerge,
  customerStatuses,
  customerTagsBody,
  customerTiers,
  listedCustomer,
  mergeCustomersBody,
  putCustomersBody,
  putRow,
  unmergeCustomersBody,
  unmergedCustomers,
  updateCustomerBody,
} from './customer.ts'
import { customerNeedsAName, customersOrIds } from './customer-rules.ts'

export const customerSorts = [
  'createdAt',
  '-createdAt',
  'updatedAt',
  '-updatedAt',
  'lastName',
  'lastContactAt',
  '-lastContactAt',
] as const
export type CustomerSort = (typeof customerSorts)[number]

const path = '/api/v1/customers'
const params = byId('customer')
const externalParams = z.object({
  source: z.string().describe('Name of the other system: 1 to 64 letters, digits, `-` and `_`.'),
  id: referenceTo('external').describe('Id of the customer in the other system: 1 to 255 characters.'),
})

export const listCustomers = defineOperation({
  id: 'customers.list',
  method: 'GET',
  path,
  auth: sessionOrKey('read:customers'),
  summary: 'List customers, newest first',
  description:
    'A customer matches when every term of `search` occurs in its name, e-mail, phone or company, and when it has all of `tags`.',
  request: {
    query: z.object({
      ids: queryArray(referenceTo('customer'), { min: 1 })
        .optional()
        .describe('Only the customers with these ids, at most 100. An unknown id finds nothing.'),
      search: z
        .string()
        .max(200)
        .optional()
        .describe('Terms that must all occur in name, e-mail, phone or company.'),
      email: z
        .string()
        .max(254)
        .optional()
        .describe('Only customers with this e-mail, without regard to case.'),
      externalId: referenceTo('external', z.string().max(400))
        .optional()
        .describe('Only the customer with this id in another system, as `source:id`.'),
      tier: z.enum(customerTiers).optional().describe('Only customers of this tier.'),
      status: z.enum(customerStatuses).optional().describe('Only customers of this status.'),
      tags: queryArray(z.string().max(64)).optional().describe('Only customers that have all of these tags.'),
      updatedSince: moment.optional().describe('Only customers that changed at or after this time.'),
      company: z
        .string()
        .max(200)
        .optional()
        .describe('Only customers of this company: the whole name, without regard to case.'),
      lastContactSince: moment.optional().describe('Only customers who last wrote at or after this time.'),
      lastContactUntil: moment.optional().describe('Only customers who last wrote before this time.'),
      include: queryArray(z.enum(customerIncludes))
        .optional()
        .describe('`openConversations`: counts the conversations of each customer that are not closed.'),
      sort: z
        .enum(customerSorts)
        .default('-createdAt')
        .describe(
          'Order of the rows; `-` means descending. By `lastContactAt`, customers who have never written are the earliest.',
        ),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: listOf(listedCustomer),
})

export const getCustomer = defineOperation({
  id: 'customers.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth: sessionOrKey('read:customers'),
  summary: 'Get one customer',
  request: { params },
  status: 200,
  response: dataOf(customerDetails),
})

export const createCustomer = defineOperation({
  id: 'customers.create',
  method: 'POST',
  path,
  auth: sessionOrKey('write:customers'),
  audit: none('daily work of the team: the event customer.created says it'),
  summary: 'Create a customer',
  request: { body: createCustomerBody },
  rules: [customerNeedsAName],
  status: 201,
  response: dataOf(customer),
  emits: ['customer.created'],
})

export const createCustomers = defineOperation({
  id: 'customers.createMany',
  method: 'POST',
  path: `${path}/bulk`,
  auth: sessionOrKey('write:customers'),
  audit: none('daily work of the team: an event names each customer'),
  summary: 'Create up to 100 customers at once, or change their tags, with a result for each',
  description:
    'A row that is not valid is refused with its problems, and the other rows are created. With `ids` instead of `customers`, tags are added and removed; one that fails leaves the others. All rows are stored in one commit.',
  request: { body: createCustomersBody },
  rules: [customersOrIds],
  status: 200,
  response: z.object({
    success: successFlag,
    data: z.array(createdRow).describe('The results, in the order of the rows.'),
  }),
  emits: ['customer.created', 'customer.updated'],
})

export const putCustomerByExternalId = defineOperation({
  id: 'customers.putByExternalId',
  method: 'PUT',
  path: `${path}/by-external-id/{source}/{id}`,
  auth: sessionOrKey('write:customers'),
  audit: none('a sync of another system: the events of the customer report each change'),
  summary: 'Create or update the customer with an id of another system',
  description:
    'Creates the customer when the tenant has none with this external id, and updates it otherwise: an absent field keeps its value, and null clears it. Requests at the same time make one customer.',
  request: { params: externalParams, body: updateCustomerBody },
  status: 200,
  response: dataOf(customer),
  emits: ['customer.created', 'customer.updated'],
})

export const putCustomersByExternalId = defineOperation({
  id: 'customers.putMany',
  method: 'PUT',
  path: `${path}/by-external-id/bulk`,
  auth: sessionOrKey('write:customers'),
  audit: none('a sync of another system: the events of the customers report each change'),
  summary: 'Create or update up to 100 customers by ids of another system, with a result for each',
  description:
    'Each row does what `PUT /api/v1/customers/by-external-id/{source}/{id}` does with its fields. A row that is not valid, that names the customer of an earlier row (rule `duplicate`), or whose id belongs to an imported record that is no customer (rule `conflict`) is refused with its problems, and the other rows are stored in one commit. A repeat changes nothing.',
  request: { body: putCustomersBody },
  status: 200,
  response: z.object({
    success: successFlag,
    data: z.array(putRow).describe('The results, in the order of the rows.'),
  }),
  emits: ['customer.created', 'customer.updated'],
})

export const updateCustomer = defineOperation({
  id: 'customers.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:customers'),
  audit: none('daily work of the team: the event customer.updated says it'),
  summary: 'Update a customer',
  description:
    'An absent field keeps its value, and null clears it. `tags` and `customFields` are replaced as a whole.',
  request: { params, body: updateCustomerBody },
  status: 200,
  response: dataOf(customer),
  emits: ['customer.updated'],
})

export const deleteCustomer = defineOperation({
  id: 'customers.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:customers'),
  audit: 'customer.deleted',
  summary: 'Permanently delete a customer and all data that belongs to it',
  request: { params },
  status: 200,
  response: messageReply,
  emits: ['customer.deleted'],
})

export const exportCustomer = defineOperation({
  id: 'customers.export',
  method: 'GET',
  path: `${path}/{id}/export`,
  auth: session('admin'),
  audit: 'customer.exported',
  summary: 'Download all stored data of a customer',
  description:
    'The file contains the customer, their conversations with all messages and notes, and their messages in conversations of others. ' +
    "The format is JSON, or CSV with the columns `section,record,field,value`. A CSV cell that a spreadsheet would run as a formula begins with `'`.",
  request: {
    params,
    query: z.object({ format: z.enum(exportFormats).default('json').describe('Format of the file.') }),
  },
  download: ['application/json', 'text/csv'],
  status: 200,
  response: z.unknown(),
})

export const mergeCustomers = defineOperation({
  id: 'customers.merge',
  method: 'POST',
  path: `${path}/{id}/merge`,
  auth: sessionOrKey('write:customers'),
  audit: 'customer.merged',
  summary: 'Merge another customer into this one',
  description:
    'Blank fields take the value of the source, and so do those for which `prefer` says `source`; tags and custom fields are joined (the values of the target win), and the conversations of the source move to the target. The source is deleted. Its moved data stays: a merge is no erasure, and `unmerge` takes it back for 30 days.',
  request: { params, body: mergeCustomersBody },
  status: 200,
  response: dataOf(customer),
  emits: ['customer.updated', 'customer.deleted'],
})

export const listMerges = defineOperation({
  id: 'customers.merges',
  method: 'GET',
  path: `${path}/{id}/merges`,
  auth: sessionOrKey('read:customers'),
  summary: 'List the merges into a customer that can be taken back, newest first',
  description:
    'The latest 50 of the last 30 days. `unmerge` takes each of them back. A merge that came along when its target was merged into this customer is listed once that one is taken back.',
  request: { params },
  status: 200,
  response: dataOf(z.array(customerMerge).describe('Merges, newest first.')),
})

export const unmergeCustomers = defineOperation({
  id: 'customers.unmerge',
  method: 'POST',
  path: `${path}/{id}/unmerge`,
  auth: sessionOrKey('write:customers'),
  audit: 'customer.unmerged',
  summary: 'Take back the merge of another customer into this one',
  description:
    'Possible for 30 days after the merge. The source exists again with its old id and values. Rows that the merge moved and that still belong to this customer go back, with all their messages. Fields that the merge filled and nobody changed since are empty again. Later conversations stay here. A block stays on both. 409 when the 30 days are over, when the source was erased since, or when it is part of a customer who was merged in between: take back that merge first.',
  request: { params, body: unmergeCustomersBody },
  status: 200,
  response: dataOf(unmergedCustomers),
  emits: ['customer.created', 'customer.updated', 'conversation.updated'],
})

export const blockCustomer = defineOperation({
  id: 'customers.block',
  method: 'POST',
  path: `${path}/{id}/block`,
  auth: sessionOrKey('write:customers'),
  audit: 'customer.blocked',
  summary: 'Block a customer',
  description:
    'Mail from the address of the customer is stored and ignored with the reason `blocked`, and the chat widget refuses their messages. Their earlier messages stay, and the team can still write to them. A customer who is blocked already stays as they are.',
  request: { params },
  status: 200,
  response: dataOf(customer),
  emits: ['customer.updated'],
})

export const unblockCustomer = defineOperation({
  id: 'customers.unblock',
  method: 'POST',
  path: `${path}/{id}/unblock`,
  auth: sessionOrKey('write:customers'),
  audit: 'customer.unblocked',
  summary: 'Unblock a customer',
  description:
    'New mail and messages of the customer arrive again. A mail that was ignored meanwhile can be processed again while its bytes are stored. A customer who is not blocked stays as they are.',
  request: { params },
  status: 200,
  response: dataOf(customer),
  emits: ['customer.updated'],
})

export const addCustomerTags = defineOperation({
  id: 'customers.addTags',
  method: 'POST',
  path: `${path}/{id}/tags`,
  auth: sessionOrKey('write:customers'),
  audit: none('daily work of the team: the event customer.updated says it'),
  summary: 'Add tags to a customer',
  request: { params, body: customerTagsBody },
  status: 200,
  response: dataOf(customer),
  emits: ['customer.updated'],
})

export const removeCustomerTags = defineOperation({
  id: 'customers.removeTags',
  method: 'DELETE',
  path: `${path}/{id}/tags`,
  auth: sessionOrKey('write:customers'),
  audit: none('daily work of the team: the event customer.updated says it'),
  summary: 'Remove tags from a customer, without regard to case',
  request: { params, body: customerTagsBody },
  status: 200,
  response: dataOf(customer),
  emits: ['customer.updated'],
})
