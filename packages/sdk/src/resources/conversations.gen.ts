// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type { WholeReply } from '../core/whole-reply.ts'
import type {
  ChangeConversations,
  ChangedConversation,
  Conversation,
  ConversationCounts,
  ConversationIncluded,
  ConversationLook,
  ConversationsCountsQuery,
  ConversationsListQuery,
  ConversationsTimelineQuery,
  CreateConversation,
  DeleteConversation,
  Labels,
  MergeConversation,
  PopulatedConversation,
  Presence,
  PresenceReply,
  ReadConversation,
  ReadState,
  ReplyRecipients,
  SetPresence,
  TimelineEntry,
  UnreadConversation,
  UpdateConversation,
} from './types.gen.ts'

/** Threads between a customer and the team, with state, priority, assignee and labels. */
export class ConversationsResource extends Resource {
  /**
   * List conversations, latest change first.
   *
   * `status` takes several values. `assignedTo=none` finds the unassigned, and `assignedTo=me` those of the signed-in user. `search` covers subjects, messages, and the customer: the name, and with `read:customers` the e-mail and the phone.
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
   * Get one conversation with its messages, its drafts and the recipients of a reply.
   *
   * A credential without `read:customers` sees only the id and the name of the customer.
   *
   * Returns the whole reply: `data`, and `included` beside it.
   *
   * `GET /api/v1/conversations/{id}`. Needs the permission `read:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationslook
   */
  look<Part extends keyof ConversationIncluded>(id: string, query: { readonly include: Part | readonly Part[] }, options?: CallOptions): ApiPromise<WholeReply<ConversationLook, 'included', Part>> {
    return this.requester.call({ method: 'GET', path: '/api/v1/conversations/{id}', isMessage: true }, { params: [id], query }, options)
  }

  /**
   * Create a conversation, optionally with its first message.
   *
   * A note is not inbound. `message` needs a text or at least one file. Only a reply to the customer has `choices`.
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
   * Change up to 100 conversations at once, with a result for each.
   *
   * Each conversation changes as `PUT /api/v1/conversations/{id}` changes it; one that fails leaves the others. Ten at a time are stored: when a request is cut off, a repeat finds those of before `unchanged`. At least one of `set`, `addLabels` and `removeLabels` names something.
   *
   * `POST /api/v1/conversations/bulk`. Needs the permission `write:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsupdatemany
   */
  updateMany(body: ChangeConversations, options?: CallOptions): ApiPromise<ChangedConversation[]> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/bulk' }, { body }, options)
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

  /**
   * Count the conversations of each view, and those that the signed-in user has not read.
   *
   * The views are `mine`, `unassigned`, `waiting`, `open`, `pending`, `snoozed`, `closed`, `unsent`, `mentions` and the ids of the inboxes. A stream of events with `live=true` sends every change of these counts.
   *
   * `GET /api/v1/conversations/counts`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationscounts
   */
  counts(query?: ConversationsCountsQuery, options?: CallOptions): ApiPromise<ConversationCounts> {
    return this.requester.call({ method: 'GET', path: '/api/v1/conversations/counts' }, { query }, options)
  }

  /**
   * Show how the next reply leaves, and who gets it by e-mail when it names no recipients.
   *
   * The last mail of somebody who takes part decides, so a new mail may change it. Without read:customers the addresses are null. `door` is what `via` of a message says that is stored now.
   *
   * `GET /api/v1/conversations/{id}/recipients`. Needs the permission `read:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsrecipients
   */
  recipients(id: string, options?: CallOptions): ApiPromise<ReplyRecipients> {
    return this.requester.call({ method: 'GET', path: '/api/v1/conversations/{id}/recipients' }, { params: [id] }, options)
  }

  /**
   * List the messages and the changes of a conversation together, newest first.
   *
   * Changes are kept from the version on that has timelines. The page after this one is read with `cursor` alone.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/conversations/{id}/timeline`. Needs the permission `read:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationstimeline
   */
  timeline(id: string, query?: ConversationsTimelineQuery, options?: CallOptions): PagePromise<TimelineEntry> {
    return this.requester.list({ method: 'GET', path: '/api/v1/conversations/{id}/timeline' }, { params: [id], query }, options)
  }

  /**
   * Show colleagues that you view a conversation, reply to it, or have left it.
   *
   * Returns the other users who are there. It holds as long as the session has a stream of events with `live=true`, else for 15 seconds, and for the 10 conversations that the session named last. It is not stored. `readSeq` also marks as read, as `POST …/read` does.
   *
   * `PUT /api/v1/conversations/{id}/presence`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationssetpresence
   */
  setPresence(id: string, body: SetPresence, options?: CallOptions): ApiPromise<Presence[]> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/conversations/{id}/presence' }, { params: [id], body }, options)
  }

  /**
   * Show colleagues that you view a conversation, and mark it as read.
   *
   * Returns the other users who are there. It holds as long as the session has a stream of events with `live=true`, else for 15 seconds, and for the 10 conversations that the session named last. It is not stored. `readSeq` also marks as read, as `POST …/read` does.
   *
   * Returns the whole reply: `data`, and `read` beside it.
   *
   * `PUT /api/v1/conversations/{id}/presence`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationssetpresenceandread
   */
  setPresenceAndRead(id: string, body: SetPresence & { readonly readSeq: NonNullable<SetPresence['readSeq']> }, options?: CallOptions): ApiPromise<WholeReply<PresenceReply, 'read'>> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/conversations/{id}/presence', isMessage: true }, { params: [id], body }, options)
  }

  /**
   * Mark a conversation as read by the signed-in user.
   *
   * It raises the mark and never lowers it. Nothing about the conversation changes but `readAt.agent`, when nobody of the team has read it before.
   *
   * `POST /api/v1/conversations/{id}/read`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsread
   */
  read(id: string, body: ReadConversation, options?: CallOptions): ApiPromise<ReadState> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/{id}/read' }, { params: [id], body }, options)
  }

  /**
   * Mark a message of a conversation, and the newer ones, as unread by the signed-in user.
   *
   * A message behind the newest 100 leaves these unread.
   *
   * `POST /api/v1/conversations/{id}/unread`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsunread
   */
  unread(id: string, body: UnreadConversation, options?: CallOptions): ApiPromise<ReadState> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/{id}/unread' }, { params: [id], body }, options)
  }

  /**
   * Merge another conversation of the same customer into this one.
   *
   * The source is closed and in no list any more. Messages and timeline of this conversation show those of both in one order, and later mail to the source arrives here. This conversation gets the labels of the source. 409 `CONFLICT` when they are not of one customer; 409 `INVALID_STATE` when one of them is merged already, belongs to the chat widget or was imported, when 20 were merged into this one, and while a draft of the source waits to be sent.
   *
   * `POST /api/v1/conversations/{id}/merge`. Needs the permission `write:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsmerge
   */
  merge(id: string, body: MergeConversation, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/{id}/merge' }, { params: [id], body }, options)
  }

  /**
   * Take back the merge of this conversation into another one.
   *
   * The id is that of the source. It has its former state again, and the other conversation loses the labels that the merge added. Messages that were written since stay there. 409 `INVALID_STATE` for a conversation that is not merged.
   *
   * `POST /api/v1/conversations/{id}/unmerge`. Needs the permission `write:conversations`.
   *
   * @param id Id of the conversation.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmconversationsunmerge
   */
  unmerge(id: string, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'POST', path: '/api/v1/conversations/{id}/unmerge' }, { params: [id] }, options)
  }
}
