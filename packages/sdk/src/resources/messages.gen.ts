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

/** Messages of a conversation: inbound, outbound, and notes that only the team sees. */
export class MessagesResource extends Resource {
  /**
   * List the messages of a conversation, oldest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/conversations/{id}/messages`. Needs the permission `read:conversations`.
   *
   * @param conversationId Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmessageslist
   */
  list(conversationId: string, query?: MessagesListQuery, options?: CallOptions): PagePromise<Message> {
    return this.requester.list({ method: 'GET', path: '/api/v1/conversations/{id}/messages' }, { params: [conversationId], query }, options)
  }

  /**
   * Create a message: a reply, a note, or the record of an inbound message.
   *
   * An inbound message opens a closed, pending or snoozed conversation again. A request that repeats a `clientMessageId` of the conversation returns the first message with status 200. A note is not inbound.
   *
   * `POST /api/v1/conversations/{id}/messages`. Needs the permission `write:conversations`.
   *
   * @param conversationId Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmessagescreate
   */
  create(conversationId: string, body: CreateMessage, options?: CallOptions): ApiPromise<Message> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/{id}/messages' }, { params: [conversationId], body }, options)
  }

  /**
   * Get one message.
   *
   * `GET /api/v1/messages/{id}`. Needs the permission `read:conversations`.
   *
   * @param id Id of the message.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmessagesget
   */
  get(id: string, options?: CallOptions): ApiPromise<Message> {
    return this.requester.call({ method: 'GET', path: '/api/v1/messages/{id}' }, { params: [id] }, options)
  }

  /**
   * Update the status of a message; it can only advance.
   *
   * `PUT /api/v1/messages/{id}`. Needs the permission `write:conversations`.
   *
   * @param id Id of the message.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmessagesupdate
   */
  update(id: string, body: UpdateMessage, options?: CallOptions): ApiPromise<Message> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/messages/{id}' }, { params: [id], body }, options)
  }
}
