// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CreateView,
  UpdateView,
  View,
  ViewsListQuery,
} from './types.gen.ts'

/** Saved lists of conversations: a filter and an order with a name, of the team or of one user. */
export class ViewsResource extends Resource {
  /**
   * List saved views by their names.
   *
   * It has the views of the team and one’s own.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/views`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmviewslist
   */
  list(query?: ViewsListQuery, options?: CallOptions): PagePromise<View> {
    return this.requester.list({ method: 'GET', path: '/api/v1/views' }, { query }, options)
  }

  /**
   * Get one saved view.
   *
   * `GET /api/v1/views/{id}`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @param id Id of the view.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmviewsget
   */
  get(id: string, options?: CallOptions): ApiPromise<View> {
    return this.requester.call({ method: 'GET', path: '/api/v1/views/{id}' }, { params: [id] }, options)
  }

  /**
   * Save a view of conversations.
   *
   * A user has at most 100 views of their own, and the team 200: one more is a `CONFLICT`. Sharing one takes the role `agent`.
   *
   * `POST /api/v1/views`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmviewscreate
   */
  create(body: CreateView, options?: CallOptions): ApiPromise<View> {
    return this.requester.call({ method: 'POST', path: '/api/v1/views' }, { body }, options)
  }

  /**
   * Change a saved view: one’s own, or as an admin a shared one.
   *
   * With `isShared: false` a shared view becomes the caller’s own.
   *
   * `PUT /api/v1/views/{id}`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @param id Id of the view.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmviewsupdate
   */
  update(id: string, body: UpdateView, options?: CallOptions): ApiPromise<View> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/views/{id}' }, { params: [id], body }, options)
  }

  /**
   * Delete a saved view: one’s own, or as an admin a shared one.
   *
   * `DELETE /api/v1/views/{id}`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @param id Id of the view.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmviewsdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/views/{id}', isMessage: true }, { params: [id] }, options)
  }
}
