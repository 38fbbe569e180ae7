// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  ConfirmIntegration,
  CreateInbox,
  EmailTest,
  EventsToken,
  Inbox,
  InboxDns,
  InboxWithInboundToken,
  InboxWithWidgetSecret,
  InboxesListQuery,
  MakeDkimKey,
  MakeInboundToken,
  MakeWidgetSecret,
  SetEmailCredentials,
  StartEmailSignIn,
  StartedSignIn,
  TestEmail,
  UpdateInbox,
} from './types.gen.ts'

/** Groups of conversations with members, automatic assignment and a chat widget. */
export class InboxesResource extends Resource {
  /**
   * List inboxes, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/inboxes`. Needs the permission `read:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxeslist
   */
  list(query?: InboxesListQuery, options?: CallOptions): PagePromise<Inbox> {
    return this.requester.list({ method: 'GET', path: '/api/v1/inboxes' }, { query }, options)
  }

  /**
   * Get one inbox.
   *
   * `GET /api/v1/inboxes/{id}`. Needs the permission `read:conversations`.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesget
   */
  get(id: string, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'GET', path: '/api/v1/inboxes/{id}' }, { params: [id] }, options)
  }

  /**
   * Create an inbox.
   *
   * With `autoAssign.enabled`, a new conversation without an assignee is assigned to the next member who is online and has fewer than `maxOpen` open conversations. With `isDefault` it replaces the default inbox so far. A transport other than `none` needs an address, `smtp` needs a server, a server with a password needs its host, port and security and a mailbox its user, plus addressing needs an address with at most 20 characters before the @, and an automatic reply needs a text.
   *
   * `POST /api/v1/inboxes`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxescreate
   */
  create(body: CreateInbox, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes' }, { body }, options)
  }

  /**
   * Update an inbox.
   *
   * An absent field keeps its value. `members`, `autoAssign`, `widget` and `email` are replaced as a whole. There is always exactly one default inbox. An address that another inbox has, also of another tenant, is a conflict. A stored password is removed when the host or the user of its server changes. A transport other than `none` needs an address, `smtp` needs a server, a server with a password needs its host, port and security and a mailbox its user, plus addressing needs an address with at most 20 characters before the @, and an automatic reply needs a text.
   *
   * `PUT /api/v1/inboxes/{id}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesupdate
   */
  update(id: string, body: UpdateInbox, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/inboxes/{id}' }, { params: [id], body }, options)
  }

  /**
   * Delete an inbox that is not the default and has no conversations.
   *
   * `DELETE /api/v1/inboxes/{id}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/inboxes/{id}', isMessage: true }, { params: [id] }, options)
  }

  /**
   * Create or rotate the identity secret of the inbox’s widget; the secret is shown once.
   *
   * The server of a web page signs the identity of its visitors with this secret. The previous secret stays valid for `overlapSeconds` (default 24 hours).
   *
   * If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.
   *
   * `POST /api/v1/inboxes/{id}/widget-secret`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesmakewidgetsecret
   */
  makeWidgetSecret(id: string, body: MakeWidgetSecret, options?: CallOptions): ApiPromise<InboxWithWidgetSecret> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes/{id}/widget-secret' }, { params: [id], body }, options)
  }

  /**
   * Set or remove the passwords and keys of the inbox’s e-mail; they are never shown.
   *
   * An absent field keeps its value, null removes it. A password needs its server in the settings: it is valid for that host and user alone.
   *
   * `PUT /api/v1/inboxes/{id}/email-credentials`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxessetemailcredentials
   */
  setEmailCredentials(id: string, body: SetEmailCredentials, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/inboxes/{id}/email-credentials' }, { params: [id], body }, options)
  }

  /**
   * Start a sign-in at Google or Microsoft, for a mailbox without a password.
   *
   * Open `authorizationUrl` in a browser; after the grant, confirm with `state`. Only the person who started can confirm, within 10 minutes. Without a client id in the settings of the server: 422 with the rule `not_configured`.
   *
   * `POST /api/v1/inboxes/{id}/email-sign-in`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesstartemailsignin
   */
  startEmailSignIn(id: string, body: StartEmailSignIn, options?: CallOptions): ApiPromise<StartedSignIn> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes/{id}/email-sign-in', isRepeatable: false }, { params: [id], body }, options)
  }

  /**
   * Store the sign-in at the provider of a mailbox.
   *
   * The status is 404 until the person has granted access in the browser, and after the state was used; 422 with the rule `denied` when the person has refused. The inbox then uses it where `email.imap.auth` or `email.smtp.auth` is `oauth`.
   *
   * `POST /api/v1/mail/oauth/{provider}/confirm`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param provider Provider of the mailbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesconfirmemailsignin
   */
  confirmEmailSignIn(provider: string, body: ConfirmIntegration, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'POST', path: '/api/v1/mail/oauth/{provider}/confirm' }, { params: [provider], body }, options)
  }

  /**
   * Remove the sign-in at the provider of the mailbox.
   *
   * Google ends the grant too; at Microsoft the person removes it. Settings with the auth `oauth` then have no server until somebody signs in again.
   *
   * `DELETE /api/v1/inboxes/{id}/email-sign-in`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesendemailsignin
   */
  endEmailSignIn(id: string, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/inboxes/{id}/email-sign-in' }, { params: [id] }, options)
  }

  /**
   * Make a new token for the address that receives mail over HTTP, which is shown once.
   *
   * Mail is posted to `/api/v1/inbound/email/{token}`. The previous token stays valid for `overlapSeconds`, 24 hours by default.
   *
   * If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.
   *
   * `POST /api/v1/inboxes/{id}/inbound-token`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesmakeinboundtoken
   */
  makeInboundToken(id: string, body: MakeInboundToken, options?: CallOptions): ApiPromise<InboxWithInboundToken> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes/{id}/inbound-token' }, { params: [id], body }, options)
  }

  /**
   * Make a new token for the address that takes events of a mail provider, which is shown once.
   *
   * Postmark, SendGrid and Mailgun post deliveries, bounces and complaints to `/api/v1/inbound/events/{token}`. The previous token stays valid for `overlapSeconds`, 24 hours by default.
   *
   * If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.
   *
   * `POST /api/v1/inboxes/{id}/events-token`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesmakeeventstoken
   */
  makeEventsToken(id: string, body: MakeInboundToken, options?: CallOptions): ApiPromise<EventsToken> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes/{id}/events-token' }, { params: [id], body }, options)
  }

  /**
   * Test the mail servers of the inbox step by step.
   *
   * A step that fails is part of the response, which has status 200. The mailbox and the transport are tried, each as far as it is set up. An inbox without either is 409, and the relay of an installation that has none is 503. The words of the relay of the installation are for its operator alone.
   *
   * `POST /api/v1/inboxes/{id}/email-test`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxestestemail
   */
  testEmail(id: string, body: TestEmail, options?: CallOptions): ApiPromise<EmailTest> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes/{id}/email-test' }, { params: [id], body }, options)
  }

  /**
   * Get the DNS records for the mail of the inbox, with what is published.
   *
   * Looks the records up. An inbox without an address is 409.
   *
   * `GET /api/v1/inboxes/{id}/dns`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesdns
   */
  dns(id: string, options?: CallOptions): ApiPromise<InboxDns> {
    return this.requester.call({ method: 'GET', path: '/api/v1/inboxes/{id}/dns' }, { params: [id] }, options)
  }

  /**
   * Check whether the DNS proves the domain of the inbox.
   *
   * With the record `ownership` of `GET /api/v1/inboxes/{id}/dns` the relay sends from the address of the inbox, else from its own. `email.domainProvenAt` is the result. It keeps its value when the name servers do not respond. Another inbox that has proven the same address loses its proof when its record is no longer published; while it is, this is 409.
   *
   * `POST /api/v1/inboxes/{id}/verify-domain`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesverifydomain
   */
  verifyDomain(id: string, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes/{id}/verify-domain' }, { params: [id] }, options)
  }

  /**
   * Let the mail of a resting inbox leave again.
   *
   * An inbox rests when 8 of the 100 newest recipients of 7 days do not exist, or 3 of them report spam. A second release within a day is 409: the operator can make it.
   *
   * `POST /api/v1/inboxes/{id}/release-mail`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesreleasemail
   */
  releaseMail(id: string, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes/{id}/release-mail' }, { params: [id] }, options)
  }

  /**
   * Make a key that signs the mail of the inbox.
   *
   * An RSA key of 2048 bits, of which only the public part is shown. Mail is signed from then on: publish the record `dkim` of `GET /api/v1/inboxes/{id}/dns`. A new key replaces the present one.
   *
   * `POST /api/v1/inboxes/{id}/dkim-key`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesmakedkimkey
   */
  makeDkimKey(id: string, body: MakeDkimKey, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'POST', path: '/api/v1/inboxes/{id}/dkim-key' }, { params: [id], body }, options)
  }

  /**
   * Delete the key that signs the mail of the inbox.
   *
   * `DELETE /api/v1/inboxes/{id}/dkim-key`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the inbox.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crminboxesdeletedkimkey
   */
  deleteDkimKey(id: string, options?: CallOptions): ApiPromise<Inbox> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/inboxes/{id}/dkim-key' }, { params: [id] }, options)
  }
}
