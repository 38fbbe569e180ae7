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

/** What a customer and the team talk about, with its state, priority, assignee and labels. */
export class ConversationsResource extends Resource {
  /**
   * List conversations, latest change first.
   *
   * `status` takes several values. `assignedTo=none` finds the unassigned. `search` looks into subjects and messages.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * Needs the permission `read:conversations`.
   *
   * `GET /api/v1/conversations`, docs/reference/sdk.md#crmconversationslist
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  list(query?: ConversationsListQuery, options?: CallOptions): PagePromise<Conversation> {
    return this.requester.list({ method: 'GET', path: '/api/v1/conversations', canSort: true }, { query }, options)
  }

  /**
   * Get one conversation with its customer and its assignee.
   *
   * A credential without `read:customers` sees only the customer’s id and name.
   *
   * Needs the permission `read:conversations`.
   *
   * `GET /api/v1/conversations/{id}`, docs/reference/sdk.md#crmconversationsget
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(id: string, options?: CallOptions): ApiPromise<PopulatedConversation> {
    return this.requester.call({ method: 'GET', path: '/api/v1/conversations/{id}' }, { params: [id] }, options)
  }

  /**
   * Start a conversation, if wanted with its first message.
   *
   * A note is not inbound.
   *
   * Needs the permission `write:conversations`.
   *
   * `POST /api/v1/conversations`, docs/reference/sdk.md#crmconversationscreate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  create(body: CreateConversation, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations' }, { body }, options)
  }

  /**
   * Change a conversation: status, assignee, snooze and more.
   *
   * `snoozed` takes `snoozedUntil` (in the future, or null: until the next inbound message) and `wakeOnReply`.
   *
   * Needs the permission `write:conversations`.
   *
   * `PUT /api/v1/conversations/{id}`, docs/reference/sdk.md#crmconversationsupdate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  update(id: string, body: UpdateConversation, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/conversations/{id}' }, { params: [id], body }, options)
  }

  /**
   * Permanently remove a conversation with all its messages and their files.
   *
   * Needs the permission `write:conversations`.
   *
   * `DELETE /api/v1/conversations/{id}`, docs/reference/sdk.md#crmconversationsdelete
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  delete(id: string, body?: DeleteConversation, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/conversations/{id}', isMessage: true }, { params: [id], body }, options)
  }

  /**
   * Add labels to a conversation.
   *
   * Needs the permission `write:conversations`.
   *
   * `POST /api/v1/conversations/{id}/labels`, docs/reference/sdk.md#crmconversationsaddlabels
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  addLabels(id: string, body: Labels, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/{id}/labels' }, { params: [id], body }, options)
  }

  /**
   * Remove labels from a conversation; case does not matter.
   *
   * Needs the permission `write:conversations`.
   *
   * `DELETE /api/v1/conversations/{id}/labels`, docs/reference/sdk.md#crmconversationsremovelabels
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  removeLabels(id: string, body: Labels, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/conversations/{id}/labels' }, { params: [id], body }, options)
  }
}
