import { z } from 'zod'
import { defineOperation, session } from '../contract/define-operation.ts'
import { dataOf, listOf } from '../contract/envelopes.ts'
import { pageQuery } from '../shared/page.ts'
import { auditEntry } from './audit-entry.ts'
import { tenant } from './tenant.ts'

export const getTenant = defineOperation({
  id: 'tenant.get',
  method: 'GET',
  path: '/api/tenant',
  auth: session('admin'),
  summary: 'Get the tenant of the signed-in user',
  status: 200,
  response: dataOf(tenant),
})

export const listAuditLog = defineOperation({
  id: 'tenant.auditLog',
  method: 'GET',
  path: '/api/tenant/audit-log',
  auth: session('admin'),
  summary: 'List the audit log, newest first',
  description:
    'Contains changes of keys, webhooks, users, inboxes and passwords, and every deletion. Entries hold ids and names of fields, never values.',
  request: { query: z.object(pageQuery(20)) },
  status: 200,
  response: listOf(auditEntry),
})
