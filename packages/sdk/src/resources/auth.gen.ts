// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  AcceptInvite,
  ChangePassword,
  Login,
  Me,
  Refresh,
  Register,
  Session,
} from './types.gen.ts'

/** Registration, sessions, invitations that are accepted, passwords. */
export class AuthResource extends Resource {
  /**
   * Register a tenant with its owner and its default inbox.
   *
   * An e-mail that already signs in on this server must come with its password.
   *
   * Needs no credential.
   *
   * `POST /api/auth/register`, docs/reference/sdk.md#crmauthregister
   *
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  register(body: Register, options?: CallOptions): ApiPromise<Session> {
    return this.requester.call({ method: 'POST', path: '/api/auth/register', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * Sign in with e-mail and password.
   *
   * With memberships in several tenants `tenantId` is required. The access token lives 900 seconds.
   *
   * Needs no credential.
   *
   * `POST /api/auth/login`, docs/reference/sdk.md#crmauthlogin
   *
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  login(body: Login, options?: CallOptions): ApiPromise<Session> {
    return this.requester.call({ method: 'POST', path: '/api/auth/login', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * Exchange a refresh token for a new pair of tokens.
   *
   * A refresh token works once; using it twice ends the session.
   *
   * Needs no credential.
   *
   * `POST /api/auth/refresh`, docs/reference/sdk.md#crmauthrefresh
   *
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  refresh(body: Refresh, options?: CallOptions): ApiPromise<Session> {
    return this.requester.call({ method: 'POST', path: '/api/auth/refresh', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * Accept an invitation and sign in.
   *
   * An e-mail that is new to this server gets this password. One that has a password on this server must come with it, also while all its users are inactive.
   *
   * Needs no credential.
   *
   * `POST /api/auth/accept-invite`, docs/reference/sdk.md#crmauthacceptinvite
   *
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  acceptInvite(body: AcceptInvite, options?: CallOptions): ApiPromise<Session> {
    return this.requester.call({ method: 'POST', path: '/api/auth/accept-invite', isPublic: true, isRepeatable: false }, { body }, options)
  }

  /**
   * End the session at once, its access tokens included.
   *
   * Needs a signed-in user, at least viewer; API keys are refused.
   *
   * `POST /api/auth/logout`, docs/reference/sdk.md#crmauthlogout
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  logout(options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'POST', path: '/api/auth/logout', isRepeatable: false, isMessage: true }, {}, options)
  }

  /**
   * Get the signed-in user, the tenant and all memberships.
   *
   * Needs a signed-in user, at least viewer; API keys are refused.
   *
   * `GET /api/auth/me`, docs/reference/sdk.md#crmauthme
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  me(options?: CallOptions): ApiPromise<Me> {
    return this.requester.call({ method: 'GET', path: '/api/auth/me' }, {}, options)
  }

  /**
   * Change the password; all other sessions end.
   *
   * Needs a signed-in user, at least viewer; API keys are refused.
   *
   * `PUT /api/auth/password`, docs/reference/sdk.md#crmauthchangepassword
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  changePassword(body: ChangePassword, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'PUT', path: '/api/auth/password', isMessage: true }, { body }, options)
  }
}
