// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CreateInbox,
  Inbox,
  InboxWithWidgetSecret,
  InboxesListQuery,
  MakeWidgetSecret,
  UpdateInbox,
} from './types.gen.ts'

/** Where conversations arrive: their members, automatic assignment and the secret of their widget. */
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

  /**
   * Create an inbox.
   *
   * With `autoAssign.enabled` a new conversation without an assignee goes to the next member who is online and has fewer than `maxOpen` open ones. Made the default, it takes the place of the one before.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `POST /api/v1/inboxes`, docs/reference/sdk.md#crminboxescreate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  create(body: CreateInbox, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes' }, { body }, options)
  }

  /**
   * Change an inbox.
   *
   * An absent field keeps its value; `members`, `autoAssign` and `widget` are replaced as a whole. One inbox is always the default.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `PUT /api/v1/inboxes/{id}`, docs/reference/sdk.md#crminboxesupdate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  update(id: string, body: UpdateInbox, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/inboxes/{id}' }, { params: [id], body }, options)
  }

  /**
   * Remove an inbox that is not the default and has no conversations.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `DELETE /api/v1/inboxes/{id}`, docs/reference/sdk.md#crminboxesdelete
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/inboxes/{id}', isMessage: true }, { params: [id] }, options)
  }

  /**
   * Make the identity secret of the inbox’s widget, which is shown once.
   *
   * With it the server of a web page vouches for its visitors. One that was made before stays valid for the overlap: 24 hours unless told otherwise.
   *
   * When an answer is lost, a retry ends in a `ConflictError`: the secret is shown only once.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `POST /api/v1/inboxes/{id}/widget-secret`, docs/reference/sdk.md#crminboxesmakewidgetsecret
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  makeWidgetSecret(id: string, body: MakeWidgetSecret, options?: CallOptions): ApiPromise<InboxWithWidgetSecret> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes/{id}/widget-secret' }, { params: [id], body }, options)
  }
}
