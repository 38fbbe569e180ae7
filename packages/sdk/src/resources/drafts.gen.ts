// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply, ReplyOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  Draft,
  DraftsListOwnQuery,
  DraftsListQuery,
  Message,
  OwnDraft,
  SaveDraft,
  SendDraft,
} from './types.gen.ts'

/** Messages that are not sent yet: a user or a program writes one, and any person sends it, or the service at its time. */
export class DraftsResource extends Resource {
  /**
   * Get the caller’s own draft in a conversation.
   *
   * `data` is null where the caller has none.
   *
   * `GET /api/v1/conversations/{id}/draft`. Needs the permission `read:conversations`.
   *
   * @param conversationId Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmdraftsget
   */
  get(conversationId: string, options?: CallOptions): ApiPromise<Draft | null> {
    return this.requester.call({ method: 'GET', path: '/api/v1/conversations/{id}/draft' }, { params: [conversationId] }, options)
  }

  /**
   * Create or replace the caller’s own draft in a conversation.
   *
   * Fields that the body leaves out get their defaults; `basedOn` stays. With another `expectedVersion` than that of the draft it is a `CONFLICT`, whose `details.draft` is the draft, or null. With `sendAt` the service sends the draft in the name of its author.
   *
   * `PUT /api/v1/conversations/{id}/draft`. Needs the permission `write:conversations`.
   *
   * @param conversationId Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmdraftssave
   */
  save(conversationId: string, body: SaveDraft, options?: CallOptions): ApiPromise<Draft> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/conversations/{id}/draft' }, { params: [conversationId], body }, options)
  }

  /**
   * Delete the caller’s own draft in a conversation, if there is one.
   *
   * `DELETE /api/v1/conversations/{id}/draft`. Needs the permission `write:conversations`.
   *
   * @param conversationId Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmdraftsdiscard
   */
  discard(conversationId: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/conversations/{id}/draft', isMessage: true }, { params: [conversationId] }, options)
  }

  /**
   * List the drafts of all authors in a conversation, oldest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/conversations/{id}/drafts`. Needs the permission `read:conversations`.
   *
   * @param conversationId Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmdraftslist
   */
  list(conversationId: string, query?: DraftsListQuery, options?: CallOptions): PagePromise<Draft> {
    return this.requester.list({ method: 'GET', path: '/api/v1/conversations/{id}/drafts' }, { params: [conversationId], query }, options)
  }

  /**
   * List the own drafts that were not sent or are planned, the last changed first.
   *
   * `unsent` lists drafts that were to be sent and were not: `sendError` says why. `planned` lists those with `sendAt`.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/users/me/drafts`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmdraftslistown
   */
  listOwn(query?: DraftsListOwnQuery, options?: CallOptions): PagePromise<OwnDraft> {
    return this.requester.list({ method: 'GET', path: '/api/v1/users/me/drafts' }, { query }, options)
  }

  /**
   * Delete a draft: one’s own, one of an API key, or as an admin any.
   *
   * `DELETE /api/v1/conversations/{id}/drafts/{draftId}`. Needs the permission `write:conversations`.
   *
   * @param conversationId Id of the conversation.
   * @param draftId Id of the draft.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmdraftsdelete
   */
  delete(conversationId: string, draftId: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/conversations/{id}/drafts/{draftId}', isMessage: true }, { params: [conversationId, draftId] }, options)
  }

  /**
   * Send a draft of any author, in the caller’s name.
   *
   * The draft becomes a message, whose `draftedBy` names the author when it is somebody else, or the author of the draft that it is `basedOn`. A repeated request returns the same message with status 200. With `If-Conversation-Seq` a reply is refused when somebody else has answered in the meantime. With another `expectedVersion` than that of the draft it is a `CONFLICT`, whose `details.draft` is the draft. When the way that the reply leaves, its sender or the address of the customer is another one than at the last save, it is a `CONFLICT` with `details.reason` `RECIPIENT_CHANGED` and both as `details.basis` and `details.now`.
   *
   * `POST /api/v1/conversations/{id}/drafts/{draftId}/send`. Needs the permission `write:conversations`.
   *
   * @param conversationId Id of the conversation.
   * @param draftId Id of the draft.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmdraftssend
   */
  send(conversationId: string, draftId: string, body: SendDraft, options?: ReplyOptions): ApiPromise<Message> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/{id}/drafts/{draftId}/send' }, { params: [conversationId, draftId], body }, options)
  }
}
