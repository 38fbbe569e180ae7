// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  Inbox,
  InboxesListQuery,
} from './types.gen.ts'

/** The operations of `crm.inboxes`. */
export class InboxesResource extends Resource {
  /**
   * List inboxes, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * Needs the permission `read:conversations`.
   *
   * `GET /api/v1/inboxes`, docs/reference/sdk.md#crminboxeslist
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  list(query?: InboxesListQuery, options?: CallOptions): PagePromise<Inbox> {
    return this.requester.list({ method: 'GET', path: '/api/v1/inboxes' }, { query }, options)
  }

  /**
   * Get one inbox.
   *
   * Needs the permission `read:conversations`.
   *
   * `GET /api/v1/inboxes/{id}`, docs/reference/sdk.md#crminboxesget
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(id: string, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'GET', path: '/api/v1/inboxes/{id}' }, { params: [id] }, options)
  }
}
