// Generated from the contract by scripts/generate.ts. Do not edit.
import type { AuditEntry, Page, Tenant, TenantAuditLogQuery } from '@crmkit/sdk'
import { type NoInput, operation } from './operation.ts'

export const tenant = {
  get: operation<NoInput, Tenant>({
    name: 'get',
    summary: 'Get the tenant of the signed-in user',
    need: 'session',
    fields: [],
    send: (crm) => crm.tenant.get(),
  }),
  auditLog: operation<TenantAuditLogQuery, Page<AuditEntry>>({
    name: 'auditLog',
    summary: 'List the audit log, newest first',
    need: 'session',
    fields: [],
    send: (crm, _id, input) => crm.tenant.auditLog(input),
  }),
}
