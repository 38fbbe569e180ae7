// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CreateMessage,
  Message,
  MessagesListQuery,
  UpdateMessage,
} from './types.gen.ts'

/** What is said in a conversation: inbound, outbound, and notes that only the team sees. */
export class MessagesResource extends Resource {
  /**
   * List the messages of a conversation, oldest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * Needs the permission `read:conversations`.
   *
   * `GET /api/v1/conversations/{id}/messages`, docs/reference/sdk.md#crmmessageslist
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  list(conversationId: string, query?: MessagesListQuery, options?: CallOptions): PagePromise<Message> {
    return this.requester.list({ method: 'GET', path: '/api/v1/conversations/{id}/messages' }, { params: [conversationId], query }, options)
  }

  /**
   * Reply in a conversation, note something in it, or record an inbound message.
   *
   * An inbound message opens a closed, pending or snoozed conversation again. The same `clientMessageId` in one conversation answers the first message with status 200. A note is not inbound.
   *
   * Needs the permission `write:conversations`.
   *
   * `POST /api/v1/conversations/{id}/messages`, docs/reference/sdk.md#crmmessagescreate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  create(conversationId: string, body: CreateMessage, options?: CallOptions): ApiPromise<Message> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/{id}/messages' }, { params: [conversationId], body }, options)
  }

  /**
   * Get one message.
   *
   * Needs the permission `read:conversations`.
   *
   * `GET /api/v1/messages/{id}`, docs/reference/sdk.md#crmmessagesget
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(id: string, options?: CallOptions): ApiPromise<Message> {
    return this.requester.call({ method: 'GET', path: '/api/v1/messages/{id}' }, { params: [id] }, options)
  }

  /**
   * Report how far a message has come; it only moves forwards.
   *
   * Needs the permission `write:conversations`.
   *
   * `PUT /api/v1/messages/{id}`, docs/reference/sdk.md#crmmessagesupdate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  update(id: string, body: UpdateMessage, options?: CallOptions): ApiPromise<Message> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/messages/{id}' }, { params: [id], body }, options)
  }
}
