// Generated from the contract by scripts/generate.ts. Do not edit.
import type { AuditEntry, CreateTenantExport, MessageReply, Page, RetentionPreview, SampleData, Tenant, TenantAuditLogQuery, TenantExport, TenantExportDetails, TenantGetExportQuery, TenantGetRetentionQuery, TenantSetup, UpdateTenant, UpdateTenantSetup } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const tenant = {
  get: operation<NoInput, Tenant>({
    name: 'get',
    summary: 'Get the tenant of the signed-in user',
    need: 'session',
    reply: ["_id","name","isSuspended","country","retention","usage","createdAt","updatedAt"],
    fields: [],
    send: (crm) => crm.tenant.get(),
  }),
  update: operation<UpdateTenant, Tenant>({
    name: 'update',
    summary: 'Change the tenant of the signed-in user',
    need: 'session',
    reply: ["_id","name","isSuspended","country","retention","usage","createdAt","updatedAt"],
    fields: [
      {"name":"name","type":"text","text":"name of the organisation","value":"name"},
      {"name":"country","type":"text","text":"ISO 3166 code of the country in which phone numbers without one are read, such as DE","value":"text","isNullable":true},
    ],
    example: '--country DE',
    send: (crm, _id, input) => crm.tenant.update(input),
  }),
  getRetention: operation<TenantGetRetentionQuery, RetentionPreview>({
    name: 'getRetention',
    summary: 'Count what a retention would remove, without removing it',
    need: 'session',
    reply: ["closedConversationMonths","attachmentMonths","conversations","attachments"],
    fields: [
      {"name":"closedConversationMonths","type":"integer","text":"counts for this value instead of the setting, before it is switched on","value":"number"},
      {"name":"attachmentMonths","type":"integer","text":"counts for this value instead of the setting","value":"number"},
    ],
    send: (crm, _id, input) => crm.tenant.getRetention(input),
  }),
  getSetup: operation<NoInput, TenantSetup>({
    name: 'getSetup',
    summary: 'Get the check-list of a new team',
    need: 'session',
    reply: ["steps","dismissedAt","sampleData"],
    fields: [],
    send: (crm) => crm.tenant.getSetup(),
  }),
  updateSetup: operation<UpdateTenantSetup, TenantSetup>({
    name: 'updateSetup',
    summary: 'Hide the check-list of a new team, show it again, or note that notifications are on',
    need: 'session',
    reply: ["steps","dismissedAt","sampleData"],
    fields: [
      {"name":"dismissed","type":"flag","text":"whether the list is hidden","value":"text"},
      {"name":"notifications","type":"flag","text":"notes that an admin has switched notifications on","value":"text"},
    ],
    example: '--dismissed',
    send: (crm, _id, input) => crm.tenant.updateSetup(input),
  }),
  addSampleData: operation<NoInput, SampleData>({
    name: 'addSampleData',
    summary: 'Add sample customers and conversations',
    need: 'session',
    reply: ["runId","addedAt"],
    fields: [],
    send: (crm) => crm.tenant.addSampleData(),
  }),
  removeSampleData: operation<NoInput, MessageReply>({
    name: 'removeSampleData',
    summary: 'Erase the sample customers and conversations, with what people have added to them',
    need: 'session',
    fields: [],
    send: (crm) => crm.tenant.removeSampleData(),
  }),
  auditLog: operation<TenantAuditLogQuery, Page<AuditEntry>>({
    name: 'auditLog',
    summary: 'List the audit log, newest first',
    need: 'session',
    reply: ["_id","tenantId","at","actor","action","target","reason","changed","count","requestId"],
    fields: [],
    send: (crm, _id, input) => crm.tenant.auditLog(input),
  }),
  createExport: operation<CreateTenantExport, TenantExport>({
    name: 'createExport',
    summary: 'Export the tenant into a package',
    need: 'session',
    reply: ["_id","status","attachments","requestedBy","counts","partCount","error","createdAt","finishedAt","expiresAt"],
    fields: [
      {"name":"currentPassword","type":"text","text":"password of the owner who asks","value":"text","isRequired":true},
      {"name":"attachments","type":"flag","text":"whether the files of messages are parts; default: true","value":"text","isNullable":true},
    ],
    example: '--current-password \'a long and private sentence\'',
    send: (crm, _id, input) => crm.tenant.createExport(input),
  }),
  listExports: operation<NoInput, TenantExport[]>({
    name: 'listExports',
    summary: 'List the exports of the last 30 days, newest first',
    need: 'session',
    reply: ["_id","status","attachments","requestedBy","counts","partCount","error","createdAt","finishedAt","expiresAt"],
    fields: [],
    send: (crm) => crm.tenant.listExports(),
  }),
  getExport: operation<TenantGetExportQuery, TenantExportDetails>({
    name: 'getExport',
    summary: 'Get an export with its parts',
    need: 'session',
    reply: ["_id","status","attachments","requestedBy","counts","partCount","error","createdAt","finishedAt","expiresAt","parts"],
    fields: [
      {"name":"from","type":"integer","text":"number of the first part that is shown, from 1","value":"number"},
    ],
    send: (crm, id, input) => crm.tenant.getExport(id, input),
  }),
}
