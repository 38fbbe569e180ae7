// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  Conversation,
  ConversationsListQuery,
  CreateConversation,
  DeleteConversation,
  Labels,
  PopulatedConversation,
  UpdateConversation,
} from './types.gen.ts'

/** Threads between a customer and the team, with state, priority, assignee and labels. */
export class ConversationsResource extends Resource {
  /**
   * List conversations, latest change first.
   *
   * `status` takes several values. `assignedTo=none` finds the unassigned, and `assignedTo=me` those of the signed-in user. `search` covers subjects and messages.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/conversations`. Needs the permission `read:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationslist
   */
  list(query?: ConversationsListQuery, options?: CallOptions): PagePromise<Conversation> {
    return this.requester.list({ method: 'GET', path: '/api/v1/conversations', canSort: true }, { query }, options)
  }

  /**
   * Get one conversation with its customer and its assignee.
   *
   * A credential without `read:customers` sees only the id and the name of the customer.
   *
   * `GET /api/v1/conversations/{id}`. Needs the permission `read:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsget
   */
  get(id: string, options?: CallOptions): ApiPromise<PopulatedConversation> {
    return this.requester.call({ method: 'GET', path: '/api/v1/conversations/{id}' }, { params: [id] }, options)
  }

  /**
   * Create a conversation, optionally with its first message.
   *
   * A note is not inbound.
   *
   * `POST /api/v1/conversations`. Needs the permission `write:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationscreate
   */
  create(body: CreateConversation, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations' }, { body }, options)
  }

  /**
   * Update a conversation: status, assignee, snooze and more.
   *
   * The status `snoozed` takes `snoozedUntil` (in the future, or null: until the next inbound message) and `wakeOnReply`.
   *
   * `PUT /api/v1/conversations/{id}`. Needs the permission `write:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsupdate
   */
  update(id: string, body: UpdateConversation, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/conversations/{id}' }, { params: [id], body }, options)
  }

  /**
   * Permanently delete a conversation with all its messages and their files.
   *
   * `DELETE /api/v1/conversations/{id}`. Needs the permission `write:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsdelete
   */
  delete(id: string, body?: DeleteConversation, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/conversations/{id}', isMessage: true }, { params: [id], body }, options)
  }

  /**
   * Add labels to a conversation.
   *
   * `POST /api/v1/conversations/{id}/labels`. Needs the permission `write:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsaddlabels
   */
  addLabels(id: string, body: Labels, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/{id}/labels' }, { params: [id], body }, options)
  }

  /**
   * Remove labels from a conversation, without regard to case.
   *
   * `DELETE /api/v1/conversations/{id}/labels`. Needs the permission `write:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsremovelabels
   */
  removeLabels(id: string, body: Labels, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/conversations/{id}/labels' }, { params: [id], body }, options)
  }
}
