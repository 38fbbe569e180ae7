// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  ApiKey,
  ApiKeyUsage,
  ApiKeysListQuery,
  ApiKeysUsageQuery,
  CreateApiKey,
  CreatedApiKey,
  RotateApiKey,
  UpdateApiKey,
} from './types.gen.ts'

/** Credentials for programs: permissions, environment, addresses, limits, rotation. Only signed-in users manage them. */
export class ApiKeysResource extends Resource {
  /**
   * List API keys, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/tenant/api-keys`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmapikeyslist
   */
  list(query?: ApiKeysListQuery, options?: CallOptions): PagePromise<ApiKey> {
    return this.requester.list({ method: 'GET', path: '/api/tenant/api-keys', rows: 'keys' }, { query }, options)
  }

  /**
   * Create an API key; the key itself is shown once.
   *
   * If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.
   *
   * `POST /api/tenant/api-keys`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmapikeyscreate
   */
  create(body: CreateApiKey, options?: CallOptions): ApiPromise<CreatedApiKey> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/api-keys' }, { body }, options)
  }

  /**
   * Get one API key.
   *
   * `GET /api/tenant/api-keys/{id}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the API key.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmapikeysget
   */
  get(id: string, options?: CallOptions): ApiPromise<ApiKey> {
    return this.requester.call({ method: 'GET', path: '/api/tenant/api-keys/{id}' }, { params: [id] }, options)
  }

  /**
   * Update an API key; the change takes effect with the next request.
   *
   * `PUT /api/tenant/api-keys/{id}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the API key.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmapikeysupdate
   */
  update(id: string, body: UpdateApiKey, options?: CallOptions): ApiPromise<ApiKey> {
    return this.requester.call({ method: 'PUT', path: '/api/tenant/api-keys/{id}' }, { params: [id], body }, options)
  }

  /**
   * Count the requests of a key in a month, by endpoint and by method.
   *
   * Every request with the key counts, refused ones included. The counts are at most 2 s old and are stored for 24 months.
   *
   * `GET /api/tenant/api-keys/{id}/usage`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the API key.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmapikeysusage
   */
  usage(id: string, query?: ApiKeysUsageQuery, options?: CallOptions): ApiPromise<ApiKeyUsage> {
    return this.requester.call({ method: 'GET', path: '/api/tenant/api-keys/{id}/usage' }, { params: [id], query }, options)
  }

  /**
   * Rotate an API key: create its successor with the same settings; the new key is shown once.
   *
   * The old key works for another `overlapSeconds` (default 86,400), or until it expires, if that is sooner.
   *
   * If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.
   *
   * `POST /api/tenant/api-keys/{id}/rotate`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the API key.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmapikeysrotate
   */
  rotate(id: string, body: RotateApiKey, options?: CallOptions): ApiPromise<CreatedApiKey> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/api-keys/{id}/rotate' }, { params: [id], body }, options)
  }

  /**
   * Revoke an API key immediately.
   *
   * `POST /api/tenant/api-keys/{id}/revoke`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the API key.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmapikeysrevoke
   */
  revoke(id: string, options?: CallOptions): ApiPromise<ApiKey> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/api-keys/{id}/revoke' }, { params: [id] }, options)
  }

  /**
   * Permanently delete an API key.
   *
   * `DELETE /api/tenant/api-keys/{id}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the API key.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmapikeysdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/tenant/api-keys/{id}', isMessage: true }, { params: [id] }, options)
  }
}
