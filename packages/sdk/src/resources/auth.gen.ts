// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  AcceptInvite,
  ChangePassword,
  ConfirmPasswordReset,
  Invitation,
  InvitationToken,
  Login,
  Me,
  PasswordReset,
  Refresh,
  Register,
  Registration,
  Session,
} from './types.gen.ts'

/** Registration, sessions, accepting invitations, passwords. */
export class AuthResource extends Resource {
  /**
   * Register a tenant with its owner and its default inbox.
   *
   * An e-mail that already has a password on this server must come with that password. 403 where the operator does not allow it, and for the first tenant without the setup token that it may need.
   *
   * `POST /api/auth/register`. Needs no credential.
   *
   * @throws {ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthregister
   */
  register(body: Register, options?: CallOptions): ApiPromise<Session> {
    return this.requester.call({ method: 'POST', path: '/api/auth/register', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * Get whether a tenant can be registered.
   *
   * The operator decides it with `CRM_REGISTRATION`.
   *
   * `GET /api/auth/registration`. Needs no credential.
   *
   * @throws {RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthregistration
   */
  registration(options?: CallOptions): ApiPromise<Registration> {
    return this.requester.call({ method: 'GET', path: '/api/auth/registration', isPublic: true }, {}, options)
  }

  /**
   * Sign in with e-mail and password.
   *
   * A person with memberships in several tenants must send `tenantId`: without it the refusal with status 422 names them in `tenants`. The access token expires after 900 seconds.
   *
   * `POST /api/auth/login`. Needs no credential.
   *
   * @throws {ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthlogin
   */
  login(body: Login, options?: CallOptions): ApiPromise<Session> {
    return this.requester.call({ method: 'POST', path: '/api/auth/login', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * Exchange a refresh token for a new pair of tokens.
   *
   * A refresh token works once. Using it a second time ends the session.
   *
   * `POST /api/auth/refresh`. Needs no credential.
   *
   * @throws {ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthrefresh
   */
  refresh(body: Refresh, options?: CallOptions): ApiPromise<Session> {
    return this.requester.call({ method: 'POST', path: '/api/auth/refresh', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * Get the team, the inviter and the address of an invitation.
   *
   * It says nothing about a password that the e-mail may have. A wrong, used or expired token is 401.
   *
   * `POST /api/auth/invitation`. Needs no credential.
   *
   * @throws {ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthinvitation
   */
  invitation(body: InvitationToken, options?: CallOptions): ApiPromise<Invitation> {
    return this.requester.call({ method: 'POST', path: '/api/auth/invitation', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * Accept an invitation and sign in.
   *
   * An e-mail that is new to this server gets this password. An e-mail that already has one must come with that password, even while all its users are inactive. Somebody else may have used the e-mail before: with `separate` a password of your own is accepted for this tenant, and signs in to no other one.
   *
   * `POST /api/auth/accept-invite`. Needs no credential.
   *
   * @throws {ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthacceptinvite
   */
  acceptInvite(body: AcceptInvite, options?: CallOptions): ApiPromise<Session> {
    return this.requester.call({ method: 'POST', path: '/api/auth/accept-invite', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * Send a link for a new password to an e-mail address.
   *
   * The response is the same for every address, known or not. An address gets at most three mails an hour; the link of an earlier mail becomes invalid. Without a mail relay the response is 503 for every address.
   *
   * `POST /api/auth/password-reset`. Needs no credential.
   *
   * @throws {ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthrequestpasswordreset
   */
  requestPasswordReset(body: PasswordReset, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'POST', path: '/api/auth/password-reset', isPublic: true, isRepeatable: false, isMessage: true }, { body }, options)
  }

  /**
   * Set a new password with the token of a mail, and sign in; all other sessions end.
   *
   * A token works once, within 30 minutes. A refused password and a missing `tenantId` leave it valid. A person with memberships in several tenants must send `tenantId`: without it the refusal with status 422 names them in `tenants`.
   *
   * `POST /api/auth/password-reset/confirm`. Needs no credential.
   *
   * @throws {ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthconfirmpasswordreset
   */
  confirmPasswordReset(body: ConfirmPasswordReset, options?: CallOptions): ApiPromise<Session> {
    return this.requester.call({ method: 'POST', path: '/api/auth/password-reset/confirm', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * End the session immediately, access tokens included.
   *
   * `POST /api/auth/logout`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthlogout
   */
  logout(options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'POST', path: '/api/auth/logout', isRepeatable: false, isMessage: true }, {}, options)
  }

  /**
   * Get the owner of the credential: the signed-in user with all memberships, or the API key.
   *
   * `GET /api/auth/me`. Needs an API key or a session.
   *
   * @throws {AuthenticationError | PermissionError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthme
   */
  me(options?: CallOptions): ApiPromise<Me> {
    return this.requester.call({ method: 'GET', path: '/api/auth/me' }, {}, options)
  }

  /**
   * Change the password; all other sessions end.
   *
   * `PUT /api/auth/password`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmauthchangepassword
   */
  changePassword(body: ChangePassword, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'PUT', path: '/api/auth/password', isMessage: true }, { body }, options)
  }
}
