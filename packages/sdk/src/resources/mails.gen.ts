// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  Conversation,
  InboundMail,
  MailsListQuery,
  MakeConversation,
} from './types.gen.ts'

/** Mails that arrived, with the state of each: processed, parked or ignored. The door that receives them is `POST /api/v1/inbound/email/{token}`. */
export class MailsResource extends Resource {
  /**
   * List the mails that arrived, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/inbound-mails`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmailslist
   */
  list(query?: MailsListQuery, options?: CallOptions): PagePromise<InboundMail> {
    return this.requester.list({ method: 'GET', path: '/api/v1/inbound-mails' }, { query }, options)
  }

  /**
   * Get a mail that arrived.
   *
   * `GET /api/v1/inbound-mails/{id}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param inboundMailId Id of the mail.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmailsget
   */
  get(inboundMailId: string, options?: CallOptions): ApiPromise<InboundMail> {
    return this.requester.call({ method: 'GET', path: '/api/v1/inbound-mails/{id}' }, { params: [inboundMailId] }, options)
  }

  /**
   * Download a mail as it arrived.
   *
   * The bytes are stored for 90 days.
   *
   * Returns the `Response` as soon as its headers have arrived; `timeout` and `deadline` apply until then. Read `body`, `blob()` or `text()`; `signal` aborts that too. The name of the file is in `content-disposition`.
   *
   * `GET /api/v1/inbound-mails/{id}/raw`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param inboundMailId Id of the mail.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmailsraw
   */
  raw(inboundMailId: string, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/v1/inbound-mails/{id}/raw' }, { params: [inboundMailId] }, options)
  }

  /**
   * Process a parked mail again, or one of a sender who was blocked.
   *
   * The bytes of the mail must still be stored. A mail that was ignored with the reason `blocked` needs a sender who is not blocked any more.
   *
   * `POST /api/v1/inbound-mails/{id}/process-again`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param inboundMailId Id of the mail.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmailsprocessagain
   */
  processAgain(inboundMailId: string, options?: CallOptions): ApiPromise<InboundMail> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inbound-mails/{id}/process-again' }, { params: [inboundMailId] }, options)
  }

  /**
   * Make a conversation of a mail that is parked, a duplicate or a loop.
   *
   * `conversationId` and `customerId` exclude each other. The message follows within seconds. A mail that cannot be read becomes a message that says so. A repeat returns the same conversation with 200.
   *
   * `POST /api/v1/inbound-mails/{id}/make-conversation`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param inboundMailId Id of the mail.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmailsmakeconversation
   */
  makeConversation(inboundMailId: string, body: MakeConversation, options?: CallOptions): ApiPromise<Conversation> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inbound-mails/{id}/make-conversation' }, { params: [inboundMailId], body }, options)
  }

  /**
   * Discard a mail that needs a person.
   *
   * The mail stays in the list with the reason `discarded`, and can be processed again.
   *
   * `POST /api/v1/inbound-mails/{id}/discard`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param inboundMailId Id of the mail.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmmailsdiscard
   */
  discard(inboundMailId: string, options?: CallOptions): ApiPromise<InboundMail> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inbound-mails/{id}/discard' }, { params: [inboundMailId] }, options)
  }
}
