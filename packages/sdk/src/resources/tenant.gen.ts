// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  AuditEntry,
  CreateTenantExport,
  RetentionPreview,
  SampleData,
  Tenant,
  TenantAuditLogQuery,
  TenantExport,
  TenantExportDetails,
  TenantGetExportQuery,
  TenantGetRetentionQuery,
  TenantSetup,
  UpdateTenant,
  UpdateTenantSetup,
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
   * Change the tenant of the signed-in user.
   *
   * An absent field keeps its value. With a country, a call finds the customer whose number was written without one. With a retention, the service erases closed conversations and removes files that are older, once a day: for good, with `conversation.deleted` or `message.updated` each. From anybody but an owner, `retention` is PERMISSION_DENIED.
   *
   * `PUT /api/tenant`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantupdate
   */
  update(body: UpdateTenant, options?: CallOptions): ApiPromise<Tenant> {
    return this.requester.call({ method: 'PUT', path: '/api/tenant' }, { body }, options)
  }

  /**
   * Count what a retention would remove, without removing it.
   *
   * `GET /api/tenant/retention`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantgetretention
   */
  getRetention(query?: TenantGetRetentionQuery, options?: CallOptions): ApiPromise<RetentionPreview> {
    return this.requester.call({ method: 'GET', path: '/api/tenant/retention' }, { query }, options)
  }

  /**
   * Get the check-list of a new team.
   *
   * A step is judged by the rows that exist when it is asked for, and its `doneAt` is stored then, or by the acceptance of an invitation.
   *
   * `GET /api/tenant/setup`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantgetsetup
   */
  getSetup(options?: CallOptions): ApiPromise<TenantSetup> {
    return this.requester.call({ method: 'GET', path: '/api/tenant/setup' }, {}, options)
  }

  /**
   * Hide the check-list of a new team, show it again, or note that notifications are on.
   *
   * `PUT /api/tenant/setup`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantupdatesetup
   */
  updateSetup(body: UpdateTenantSetup, options?: CallOptions): ApiPromise<TenantSetup> {
    return this.requester.call({ method: 'PUT', path: '/api/tenant/setup' }, { body }, options)
  }

  /**
   * Add sample customers and conversations.
   *
   * The rows are ordinary and count to the quotas and the analytics. Adding them causes no event and no mail, and mail to their addresses is never sent. They are no step of the check-list. While they exist, a second request is a CONFLICT.
   *
   * `POST /api/tenant/sample-data`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantaddsampledata
   */
  addSampleData(options?: CallOptions): ApiPromise<SampleData> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/sample-data' }, {}, options)
  }

  /**
   * Erase the sample customers and conversations, with what people have added to them.
   *
   * The work is done in the background. A sample customer into whom another customer was merged stays. Without sample rows it changes nothing.
   *
   * `DELETE /api/tenant/sample-data`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantremovesampledata
   */
  removeSampleData(options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/tenant/sample-data', isMessage: true }, {}, options)
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

  /**
   * Export the tenant into a package.
   *
   * The service writes the package in the background. Passwords, keys, sign-ins, webhooks and connections are not in it: the manifest names what it leaves out. A second export at once is a CONFLICT, a fourth of a day is RATE_LIMIT_EXCEEDED; the parts of the export before are removed. A wrong password is 422 with the rule `mismatch`.
   *
   * `POST /api/tenant/exports`. Needs a signed-in user, at least owner; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantcreateexport
   */
  createExport(body: CreateTenantExport, options?: CallOptions): ApiPromise<TenantExport> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/exports', isRepeatable: false }, { body }, options)
  }

  /**
   * List the exports of the last 30 days, newest first.
   *
   * `GET /api/tenant/exports`. Needs a signed-in user, at least owner; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantlistexports
   */
  listExports(options?: CallOptions): ApiPromise<TenantExport[]> {
    return this.requester.call({ method: 'GET', path: '/api/tenant/exports' }, {}, options)
  }

  /**
   * Get an export with its parts.
   *
   * The manifest is the last part. The parts go 7 days after the request, when the next export begins, and when a person is erased.
   *
   * `GET /api/tenant/exports/{id}`. Needs a signed-in user, at least owner; API keys are refused.
   *
   * @param exportId Id of the export.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantgetexport
   */
  getExport(exportId: string, query?: TenantGetExportQuery, options?: CallOptions): ApiPromise<TenantExportDetails> {
    return this.requester.call({ method: 'GET', path: '/api/tenant/exports/{id}' }, { params: [exportId], query }, options)
  }

  /**
   * Download a part of an export.
   *
   * A file of a message that was deleted since, and a part of an export that is not `ready`, is NOT_FOUND.
   *
   * Returns the `Response` as soon as its headers have arrived; `timeout` and `deadline` apply until then. Read `body`, `blob()` or `text()`; `signal` aborts that too. The name of the file is in `content-disposition`.
   *
   * `GET /api/tenant/exports/{id}/parts/{n}`. Needs a signed-in user, at least owner; API keys are refused.
   *
   * @param exportId Id of the export.
   * @param n Number of the part, from 1.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtenantgetexportpart
   */
  getExportPart(exportId: string, n: string, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/tenant/exports/{id}/parts/{n}' }, { params: [exportId, n] }, options)
  }
}
