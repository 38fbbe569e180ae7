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

/** Credentials for programs: permissions, environment, addresses, limits, rotation. Managed by people only. */
export class ApiKeysResource extends Resource {
  /**
   * List API keys, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `GET /api/tenant/api-keys`, docs/reference/sdk.md#crmapikeyslist
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  list(query?: ApiKeysListQuery, options?: CallOptions): PagePromise<ApiKey> {
    return this.requester.list({ method: 'GET', path: '/api/tenant/api-keys', rows: 'keys' }, { query }, options)
  }

  /**
   * Create an API key; the key itself is shown once.
   *
   * When an answer is lost, a retry ends in a `ConflictError`: the secret is shown only once.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `POST /api/tenant/api-keys`, docs/reference/sdk.md#crmapikeyscreate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  create(body: CreateApiKey, options?: CallOptions): ApiPromise<CreatedApiKey> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/api-keys' }, { body }, options)
  }

  /**
   * Get one API key.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `GET /api/tenant/api-keys/{id}`, docs/reference/sdk.md#crmapikeysget
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(id: string, options?: CallOptions): ApiPromise<ApiKey> {
    return this.requester.call({ method: 'GET', path: '/api/tenant/api-keys/{id}' }, { params: [id] }, options)
  }

  /**
   * Change an API key; the change acts on the next request.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `PUT /api/tenant/api-keys/{id}`, docs/reference/sdk.md#crmapikeysupdate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  update(id: string, body: UpdateApiKey, options?: CallOptions): ApiPromise<ApiKey> {
    return this.requester.call({ method: 'PUT', path: '/api/tenant/api-keys/{id}' }, { params: [id], body }, options)
  }

  /**
   * How often a key was used in a month, by endpoint and by method.
   *
   * Every request with the key counts, also one that was refused. At most 2 s behind; kept for 24 months.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `GET /api/tenant/api-keys/{id}/usage`, docs/reference/sdk.md#crmapikeysusage
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  usage(id: string, query?: ApiKeysUsageQuery, options?: CallOptions): ApiPromise<ApiKeyUsage> {
    return this.requester.call({ method: 'GET', path: '/api/tenant/api-keys/{id}/usage' }, { params: [id], query }, options)
  }

  /**
   * Replace an API key by a new one with the same settings; the new key is shown once.
   *
   * The old key works for overlapSeconds more (default 86,400), or until it expires, whichever is sooner.
   *
   * When an answer is lost, a retry ends in a `ConflictError`: the secret is shown only once.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `POST /api/tenant/api-keys/{id}/rotate`, docs/reference/sdk.md#crmapikeysrotate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  rotate(id: string, body: RotateApiKey, options?: CallOptions): ApiPromise<CreatedApiKey> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/api-keys/{id}/rotate' }, { params: [id], body }, options)
  }

  /**
   * Deactivate an API key at once.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `POST /api/tenant/api-keys/{id}/revoke`, docs/reference/sdk.md#crmapikeysrevoke
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  revoke(id: string, options?: CallOptions): ApiPromise<ApiKey> {
    return this.requester.call({ method: 'POST', path: '/api/tenant/api-keys/{id}/revoke' }, { params: [id] }, options)
  }

  /**
   * Permanently remove an API key.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `DELETE /api/tenant/api-keys/{id}`, docs/reference/sdk.md#crmapikeysdelete
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/tenant/api-keys/{id}', isMessage: true }, { params: [id] }, options)
  }
}
