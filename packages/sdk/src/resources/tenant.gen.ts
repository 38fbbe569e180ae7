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
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `GET /api/tenant`, docs/reference/sdk.md#crmtenantget
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(options?: CallOptions): ApiPromise<Tenant> {
    return this.requester.call({ method: 'GET', path: '/api/tenant' }, {}, options)
  }

  /**
   * List who changed what, newest first.
   *
   * Changes of keys, webhooks, users, inboxes and passwords, and every deletion. Entries hold ids and names of fields, no values.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `GET /api/tenant/audit-log`, docs/reference/sdk.md#crmtenantauditlog
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  auditLog(query?: TenantAuditLogQuery, options?: CallOptions): PagePromise<AuditEntry> {
    return this.requester.list({ method: 'GET', path: '/api/tenant/audit-log' }, { query }, options)
  }
}
