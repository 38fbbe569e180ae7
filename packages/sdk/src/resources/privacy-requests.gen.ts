// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  DecidePrivacyRequest,
  PrivacyRequest,
  PrivacyRequestsListQuery,
  RejectPrivacyRequest,
} from './types.gen.ts'

/** The requests of users about their own data, on which the tenant decides. */
export class PrivacyRequestsResource extends Resource {
  /**
   * List the privacy requests of the tenant’s users: open ones first, and of these the overdue ones.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/tenant/privacy-requests`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyrequestslist
   */
  list(query?: PrivacyRequestsListQuery, options?: CallOptions): PagePromise<PrivacyRequest> {
    return this.requester.list({ method: 'GET', path: '/api/tenant/privacy-requests' }, { query }, options)
  }

  /**
   * Approve a pending privacy request.
   *
   * A deletion begins immediately and cannot be undone: the sessions of the user end, the user is removed, and in the data that stays a pseudonym takes the place of the user. The last owner cannot be deleted. A restriction holds until it is completed.
   *
   * `POST /api/tenant/privacy-requests/{id}/approve`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the request.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyrequestsapprove
   */
  approve(id: string, body: DecidePrivacyRequest, options?: CallOptions): ApiPromise<PrivacyRequest> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/privacy-requests/{id}/approve' }, { params: [id], body }, options)
  }

  /**
   * Reject a privacy request.
   *
   * A deletion that was approved can no longer be rejected.
   *
   * `POST /api/tenant/privacy-requests/{id}/reject`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the request.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyrequestsreject
   */
  reject(id: string, body: RejectPrivacyRequest, options?: CallOptions): ApiPromise<PrivacyRequest> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/privacy-requests/{id}/reject' }, { params: [id], body }, options)
  }

  /**
   * Complete a privacy request that was approved.
   *
   * Completing a restriction lifts it. A deletion is completed by the service when all data is deleted.
   *
   * `POST /api/tenant/privacy-requests/{id}/complete`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the request.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyrequestscomplete
   */
  complete(id: string, body: DecidePrivacyRequest, options?: CallOptions): ApiPromise<PrivacyRequest> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/privacy-requests/{id}/complete' }, { params: [id], body }, options)
  }
}
