import { z } from 'zod'
import { defineOperation, none, session } from '../contract/define-operation.ts'
import { dataOf, listOf, messageReply, successFlag } from '../contract/envelopes.ts'
import { byId } from '../shared/common-fields.ts'
import { pageQuery, queryInteger } from '../shared/page.ts'
import { auditEntry } from './audit-entry.ts'
import { sampleData } from './sample-data.ts'
import { tenant, updateTenantBody } from './tenant.ts'
import { createTenantExportBody, tenantExport, tenantExportDetails } from './tenant-export.ts'
import { retentionPreview, retentionQuery } from './tenant-retention.ts'
import { tenantSetup, updateTenantSetupBody } from './tenant-setup.ts'

export const getTenant = defineOperation({
  id: 'tenant.get',
  method: 'GET',
  path: '/api/tenant',
  auth: session('admin'),
  summary: 'Get the tenant of the signed-in user',
  status: 200,
  response: dataOf(tenant),
})

export const updateTenant = defineOperation({
  id: 'tenant.update',
  method: 'PUT',
  path: '/api/tenant',
  auth: session('admin'),
  audit: 'tenant.updated',
  summary: 'Change the tenant of the signed-in user',
  description:
    'An absent field keeps its value. With a country, a call finds the customer whose number was written without one. ' +
    'With a retention, the service erases closed conversations and removes files that are older, once a day: for good, with `conversation.deleted` or `message.updated` each. ' +
    'From anybody but an owner, `retention` is PERMISSION_DENIED.',
  request: { body: updateTenantBody },
  status: 200,
  response: dataOf(tenant),
})

export const getTenantRetention = defineOperation({
  id: 'tenant.getRetention',
  method: 'GET',
  path: '/api/tenant/retention',
  auth: session('admin'),
  summary: 'Count what a retention would remove, without removing it',
  request: { query: retentionQuery },
  status: 200,
  response: dataOf(retentionPreview),
})

export const getTenantSetup = defineOperation({
  id: 'tenant.getSetup',
  method: 'GET',
  path: '/api/tenant/setup',
  auth: session('admin'),
  audit: none('it notes since when a step is done'),
  summary: 'Get the check-list of a new team',
  description:
    'A step is judged by the rows that exist when it is asked for, and its `doneAt` is stored then, or by the acceptance of an invitation.',
  status: 200,
  response: dataOf(tenantSetup),
})

export const updateTenantSetup = defineOperation({
  id: 'tenant.updateSetup',
  method: 'PUT',
  path: '/api/tenant/setup',
  auth: session('admin'),
  audit: none('it only hides a list, or notes a setting of a browser'),
  summary: 'Hide the check-list of a new team, show it again, or note that notifications are on',
  request: { body: updateTenantSetupBody },
  status: 200,
  response: dataOf(tenantSetup),
})

const sampleDataPath = '/api/tenant/sample-data'

export const addSampleData = defineOperation({
  id: 'tenant.addSampleData',
  method: 'POST',
  path: sampleDataPath,
  auth: session('admin'),
  audit: 'tenant.sampleDataAdded',
  summary: 'Add sample customers and conversations',
  description:
    'The rows are ordinary and count to the quotas and the analytics. Adding them causes no event and no mail, and mail to their addresses is never sent. ' +
    'They are no step of the check-list. While they exist, a second request is a CONFLICT.',
  status: 202,
  response: dataOf(sampleData),
})

export const removeSampleData = defineOperation({
  id: 'tenant.removeSampleData',
  method: 'DELETE',
  path: sampleDataPath,
  auth: session('admin'),
  audit: ['tenant.sampleDataRemoved', none('there were no sample rows')],
  summary: 'Erase the sample customers and conversations, with what people have added to them',
  description:
    'The work is done in the background. A sample customer into whom another customer was merged stays. Without sample rows it changes nothing.',
  status: 202,
  response: messageReply,
  emits: ['customer.deleted', 'conversation.deleted'],
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

const exports = '/api/tenant/exports'
const partsMax = 1_000_000

export const createTenantExport = defineOperation({
  id: 'tenant.createExport',
  method: 'POST',
  path: exports,
  auth: session('owner'),
  audit: 'tenant.exported',
  summary: 'Export the tenant into a package',
  description:
    'The service writes the package in the background. Passwords, keys, sign-ins, webhooks and connections are not in it: the manifest names what it leaves out. ' +
    'A second export at once is a CONFLICT, a fourth of a day is RATE_LIMIT_EXCEEDED; the parts of the export before are removed. A wrong password is 422 with the rule `mismatch`.',
  request: { body: createTenantExportBody },
  status: 202,
  response: dataOf(tenantExport),
  idempotency: 'never',
})

export const listTenantExports = defineOperation({
  id: 'tenant.listExports',
  method: 'GET',
  path: exports,
  auth: session('owner'),
  summary: 'List the exports of the last 30 days, newest first',
  status: 200,
  response: z.object({
    success: successFlag,
    data: z.array(tenantExport).describe('All exports that are known.'),
  }),
})

export const getTenantExport = defineOperation({
  id: 'tenant.getExport',
  method: 'GET',
  path: `${exports}/{id}`,
  auth: session('owner'),
  summary: 'Get an export with its parts',
  description:
    'The manifest is the last part. The parts go 7 days after the request, when the next export begins, and when a person is erased.',
  request: {
    params: byId('export'),
    query: z.object({
      from: queryInteger({ min: 1, max: partsMax })
        .default(1)
        .describe('Number of the first part that is shown, from 1.'),
    }),
  },
  status: 200,
  response: dataOf(tenantExportDetails),
})

export const getTenantExportPart = defineOperation({
  id: 'tenant.getExportPart',
  method: 'GET',
  path: `${exports}/{id}/parts/{n}`,
  auth: session('owner'),
  summary: 'Download a part of an export',
  description:
    'A file of a message that was deleted since, and a part of an export that is not `ready`, is NOT_FOUND.',
  request: {
    params: z.object({
      id: z.string().describe('Id of the export.'),
      n: z.string().max(10).describe('Number of the part, from 1.'),
    }),
  },
  status: 200,
  response: z.unknown(),
  download: ['application/octet-stream'],
})
