// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  AuditEntry,
  Tenant,
  TenantAuditLogQuery,
} from './types.gen.ts'

/** The tenant itself and its audit log. */
export class TenantResource extends Resource {
  /**
   * Get the tenant of the signed-in user.
   *
   * `GET /api/tenant`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantget
   */
  get(options?: CallOptions): ApiPromise<Tenant> {
    return this.requester.call({ method: 'GET', path: '/api/tenant' }, {}, options)
  }

  /**
   * List the audit log, newest first.
   *
   * Contains changes of keys, webhooks, users, inboxes and passwords, and every deletion. Entries hold ids and names of fields, never values.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/tenant/audit-log`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantauditlog
   */
  auditLog(query?: TenantAuditLogQuery, options?: CallOptions): PagePromise<AuditEntry> {
    return this.requester.list({ method: 'GET', path: '/api/tenant/audit-log' }, { query }, options)
  }
}
