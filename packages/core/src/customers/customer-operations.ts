import { z } from 'zod'
import { defineOperation, session, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply } from '../contract/envelopes.ts'
import { exportFormats } from '../shared/export-formats.ts'
import { pageQuery, queryArray } from '../shared/page.ts'
import { moment } from '../shared/text.ts'
import {
  createCustomerBody,
  customer,
  customerStatuses,
  customerTiers,
  mergeCustomersBody,
  updateCustomerBody,
} from './customer.ts'
import { customerNeedsAName } from './customer-rules.ts'

export const customerSorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'lastName'] as const
export type CustomerSort = (typeof customerSorts)[number]

const path = '/api/v1/customers'
const byId = z.object({ id: z.string() })

export const listCustomers = defineOperation({
  id: 'customers.list',
  method: 'GET',
  path,
  auth: sessionOrKey('read:customers'),
  summary: 'List customers, newest first',
  description:
    'Every term of `search` must occur in the name, e-mail, phone or company. All of `tags` must be present.',
  request: {
    query: z.object({
      search: z.string().max(200).optional(),
      tier: z.enum(customerTiers).optional(),
      status: z.enum(customerStatuses).optional(),
      tags: queryArray(z.string().max(64)).optional(),
      updatedSince: moment.optional(),
      sort: z.enum(customerSorts).default('-createdAt'),
      ...pageQuery(20),
    }),
  },
  status: 200,
  response: listOf(customer),
})

export const getCustomer = defineOperation({
  id: 'customers.get',
  method: 'GET',
  path: `${path}/{id}`,
  auth: sessionOrKey('read:customers'),
  summary: 'Get one customer',
  request: { params: byId },
  status: 200,
  response: dataOf(customer),
})

export const createCustomer = defineOperation({
  id: 'customers.create',
  method: 'POST',
  path,
  auth: sessionOrKey('write:customers'),
  summary: 'Create a customer',
  request: { body: createCustomerBody },
  rules: [customerNeedsAName],
  status: 201,
  response: dataOf(customer),
  emits: ['customer.created'],
})

export const updateCustomer = defineOperation({
  id: 'customers.update',
  method: 'PUT',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:customers'),
  summary: 'Change a customer',
  description:
    'An absent field keeps its value, null clears it; `tags` and `customFields` are replaced as a whole.',
  request: { params: byId, body: updateCustomerBody },
  status: 200,
  response: dataOf(customer),
  emits: ['customer.updated'],
})

export const deleteCustomer = defineOperation({
  id: 'customers.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  auth: sessionOrKey('write:customers'),
  summary: 'Permanently remove a customer and everything that belongs to it',
  request: { params: byId },
  status: 200,
  response: messageReply,
  emits: ['customer.deleted'],
})

export const exportCustomer = defineOperation({
  id: 'customers.export',
  method: 'GET',
  path: `${path}/{id}/export`,
  auth: session('admin'),
  summary: 'Download everything that is kept of a customer',
  description:
    'Their record, their conversations with all messages (notes too), and what they wrote in the conversations of others. ' +
    "JSON, or CSV as `section,record,field,value`, in which a cell that a spreadsheet would take for a formula begins with `'`.",
  request: { params: byId, query: z.object({ format: z.enum(exportFormats).default('json') }) },
  download: ['application/json', 'text/csv'],
  status: 200,
  response: z.unknown(),
})

export const mergeCustomers = defineOperation({
  id: 'customers.merge',
  method: 'POST',
  path: `${path}/{id}/merge`,
  auth: sessionOrKey('write:customers'),
  summary: 'Merge another customer into this one',
  description:
    'Blank fields are filled from the source, tags and custom fields joined (the target’s values win), and its conversations move. The source is deleted, which is no erasure: what moved stays.',
  request: { params: byId, body: mergeCustomersBody },
  status: 200,
  response: dataOf(customer),
  emits: ['customer.updated', 'customer.deleted'],
})
