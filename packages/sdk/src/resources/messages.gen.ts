// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply, ReplyOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CreateMessage,
  MailAttempt,
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
   * An inbound message opens a closed, pending or snoozed conversation again. With `If-Conversation-Seq` a reply is refused when somebody else has answered in the meantime. A reply to a conversation of a package that is not handed over is an INVALID_STATE. `Force: true` sends in both cases. A request that repeats a `clientMessageId` of the conversation returns the first message with status 200. In an inbox with a mail transport a reply is `queued` until it is sent; `to`, `cc`, `bcc` and `subject` need one. A note is not inbound. `content` or at least one file is required. Only a reply to the customer has `choices`.
   *
   * `POST /api/v1/conversations/{id}/messages`. Needs the permission `write:conversations`.
   *
   * @param conversationId Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmessagescreate
   */
  create(conversationId: string, body: CreateMessage, options?: ReplyOptions): ApiPromise<Message> {
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

  /**
   * List the attempts to send a message by e-mail, oldest first.
   *
   * The latest 60 attempts. Empty for a message that is no outbound e-mail.
   *
   * `GET /api/v1/messages/{id}/attempts`. Needs the permission `read:conversations`.
   *
   * @param id Id of the message.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmessagesattempts
   */
  attempts(id: string, options?: CallOptions): ApiPromise<MailAttempt[]> {
    return this.requester.call({ method: 'GET', path: '/api/v1/messages/{id}/attempts' }, { params: [id] }, options)
  }

  /**
   * Send a failed e-mail again, to the recipients who did not get it.
   *
   * It keeps its Message-ID. Any other status than `failed` is an INVALID_STATE, and so is a message that is no e-mail.
   *
   * `POST /api/v1/messages/{id}/send-again`. Needs the permission `write:conversations`.
   *
   * @param id Id of the message.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmessagessendagain
   */
  sendAgain(id: string, options?: CallOptions): ApiPromise<Message> {
    return this.requester.call({ method: 'POST', path: '/api/v1/messages/{id}/send-again' }, { params: [id] }, options)
  }

  /**
   * Take back a reply that is still queued.
   *
   * A reply by e-mail can be taken back within the `sendDelaySeconds` of its inbox; later, and for any other message, it is an INVALID_STATE. Its attachments are free again.
   *
   * `DELETE /api/v1/messages/{id}`. Needs the permission `write:conversations`.
   *
   * @param id Id of the message.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmessagesdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/messages/{id}', isMessage: true }, { params: [id] }, options)
  }
}
