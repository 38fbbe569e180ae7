// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  DeletionRequestReply,
  DeletionStatus,
  PrivacyExportQuery,
  PrivacyRequestReply,
  RequestAccess,
  RequestDeletion,
  RequestObjection,
  RequestRectification,
  RequestRestriction,
} from './types.gen.ts'

/** The signed-in user’s own data: export it, and ask for its deletion, rectification or restriction. */
export class PrivacyResource extends Resource {
  /**
   * Download all personal data of the signed-in user.
   *
   * The file contains the user, their memberships and sessions, and what they made or were assigned in this tenant. It contains no token and no hash, and nothing that is personal data of a customer alone. The format is JSON, or CSV with the columns `section,record,field,value`. A CSV cell that a spreadsheet would run as a formula begins with `'`.
   *
   * Returns the `Response` as soon as its headers have arrived; `timeout` and `deadline` apply until then. Read `body`, `blob()` or `text()`; `signal` aborts that too. The name of the file is in `content-disposition`.
   *
   * `GET /api/data-privacy/export`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyexport
   */
  export(query?: PrivacyExportQuery, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/data-privacy/export' }, { query }, options)
  }

  /**
   * Ask the tenant to delete the data of the signed-in user.
   *
   * A second request is refused with 409 while one is pending or processing.
   *
   * `POST /api/data-privacy/deletion-request`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyrequestdeletion
   */
  requestDeletion(body: RequestDeletion, options?: CallOptions): ApiPromise<DeletionRequestReply> {
    return this.requester.call({ method: 'POST', path: '/api/data-privacy/deletion-request', isMessage: true }, { body }, options)
  }

  /**
   * Get the latest deletion request of the signed-in user.
   *
   * `GET /api/data-privacy/deletion-request/status`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacydeletionstatus
   */
  deletionStatus(options?: CallOptions): ApiPromise<DeletionStatus> {
    return this.requester.call({ method: 'GET', path: '/api/data-privacy/deletion-request/status', isMessage: true }, {}, options)
  }

  /**
   * Cancel the deletion request of the signed-in user.
   *
   * Only a pending request can be cancelled.
   *
   * `POST /api/data-privacy/deletion-request/cancel`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacycanceldeletion
   */
  cancelDeletion(options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'POST', path: '/api/data-privacy/deletion-request/cancel', isMessage: true }, {}, options)
  }

  /**
   * Ask the tenant which data of the signed-in user it processes.
   *
   * `POST /api/data-privacy/access-request`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyrequestaccess
   */
  requestAccess(body: RequestAccess, options?: CallOptions): ApiPromise<PrivacyRequestReply> {
    return this.requester.call({ method: 'POST', path: '/api/data-privacy/access-request', isMessage: true }, { body }, options)
  }

  /**
   * Ask the tenant to rectify wrong data of the signed-in user.
   *
   * `POST /api/data-privacy/rectification-request`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyrequestrectification
   */
  requestRectification(body: RequestRectification, options?: CallOptions): ApiPromise<PrivacyRequestReply> {
    return this.requester.call({ method: 'POST', path: '/api/data-privacy/rectification-request', isMessage: true }, { body }, options)
  }

  /**
   * Ask the tenant to restrict the processing of the signed-in user’s data.
   *
   * The response names its type `rectification`, and `restriction` in `requestType`. While an approved restriction holds, the user is left out of automatic assignment, of figures about single agents, and of the bodies of events, which then hold ids only.
   *
   * `POST /api/data-privacy/restriction-request`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyrequestrestriction
   */
  requestRestriction(body: RequestRestriction, options?: CallOptions): ApiPromise<PrivacyRequestReply> {
    return this.requester.call({ method: 'POST', path: '/api/data-privacy/restriction-request', isMessage: true }, { body }, options)
  }

  /**
   * Object to the processing of the signed-in user’s data.
   *
   * `POST /api/data-privacy/objection-request`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmprivacyrequestobjection
   */
  requestObjection(body: RequestObjection, options?: CallOptions): ApiPromise<PrivacyRequestReply> {
    return this.requester.call({ method: 'POST', path: '/api/data-privacy/objection-request', isMessage: true }, { body }, options)
  }
}
