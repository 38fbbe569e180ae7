// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CannedRepliesListQuery,
  CannedReply,
  CreateCannedReply,
  RenderCannedReply,
  RenderedReply,
  UpdateCannedReply,
} from './types.gen.ts'

/** Prepared replies with variables, of the team or of one user. An agent inserts one and changes it before sending. */
export class CannedRepliesResource extends Resource {
  /**
   * List canned replies by their shortcuts.
   *
   * The list holds the replies of the team and one’s own. An API key has none of its own.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/canned-replies`. Needs the permission `read:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcannedreplieslist
   */
  list(query?: CannedRepliesListQuery, options?: CallOptions): PagePromise<CannedReply> {
    return this.requester.list({ method: 'GET', path: '/api/v1/canned-replies' }, { query }, options)
  }

  /**
   * Get one canned reply.
   *
   * `GET /api/v1/canned-replies/{id}`. Needs the permission `read:conversations`.
   *
   * @param id Id of the canned reply.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcannedrepliesget
   */
  get(id: string, options?: CallOptions): ApiPromise<CannedReply> {
    return this.requester.call({ method: 'GET', path: '/api/v1/canned-replies/{id}' }, { params: [id] }, options)
  }

  /**
   * Create a canned reply.
   *
   * A shortcut that another one has already is a `CONFLICT`.
   *
   * `POST /api/v1/canned-replies`. Needs the permission `write:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcannedrepliescreate
   */
  create(body: CreateCannedReply, options?: CallOptions): ApiPromise<CannedReply> {
    return this.requester.call({ method: 'POST', path: '/api/v1/canned-replies' }, { body }, options)
  }

  /**
   * Change a canned reply: one’s own, or one of the team.
   *
   * With `isShared: false` it becomes the caller’s own. Only its owner or an admin can take it from the team.
   *
   * `PUT /api/v1/canned-replies/{id}`. Needs the permission `write:conversations`.
   *
   * @param id Id of the canned reply.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcannedrepliesupdate
   */
  update(id: string, body: UpdateCannedReply, options?: CallOptions): ApiPromise<CannedReply> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/canned-replies/{id}' }, { params: [id], body }, options)
  }

  /**
   * Delete a canned reply: one’s own, or as an admin one of the team.
   *
   * `DELETE /api/v1/canned-replies/{id}`. Needs the permission `write:conversations`.
   *
   * @param id Id of the canned reply.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcannedrepliesdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/canned-replies/{id}', isMessage: true }, { params: [id] }, options)
  }

  /**
   * Fill a canned reply with the values of a conversation.
   *
   * The agent is the caller; an API key has no values of an agent. Without the permission `read:customers` only the names of the customer are filled in.
   *
   * `POST /api/v1/canned-replies/{id}/render`. Needs the permission `read:conversations`.
   *
   * @param id Id of the canned reply.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcannedrepliesrender
   */
  render(id: string, body: RenderCannedReply, options?: CallOptions): ApiPromise<RenderedReply> {
    return this.requester.call({ method: 'POST', path: '/api/v1/canned-replies/{id}/render' }, { params: [id], body }, options)
  }
}
