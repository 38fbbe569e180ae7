// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  InviteUser,
  InvitedUser,
  UpdateMe,
  UpdateUser,
  User,
  UsersListQuery,
} from './types.gen.ts'

/** The people of the team: invitations, roles, availability. */
export class UsersResource extends Resource {
  /**
   * List the people of the tenant, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * Needs the permission `read:conversations`.
   *
   * `GET /api/v1/users`, docs/reference/sdk.md#crmuserslist
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  list(query?: UsersListQuery, options?: CallOptions): PagePromise<User> {
    return this.requester.list({ method: 'GET', path: '/api/v1/users' }, { query }, options)
  }

  /**
   * Invite a person into the tenant; the invite token is shown once.
   *
   * The user is inactive until the invitation is accepted with the token, within 72 hours. Bring the token to the person yourself. Only an owner invites an owner.
   *
   * When an answer is lost, a retry ends in a `ConflictError`: the secret is shown only once.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `POST /api/v1/users`, docs/reference/sdk.md#crmuserscreate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  create(body: InviteUser, options?: CallOptions): ApiPromise<InvitedUser> {
    return this.requester.call({ method: 'POST', path: '/api/v1/users' }, { body }, options)
  }

  /**
   * Make a new invite token for a user who has not accepted yet; the one before ends.
   *
   * When an answer is lost, a retry ends in a `ConflictError`: the secret is shown only once.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `POST /api/v1/users/{id}/invite`, docs/reference/sdk.md#crmusersinviteagain
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  inviteAgain(id: string, options?: CallOptions): ApiPromise<InvitedUser> {
    return this.requester.call({ method: 'POST', path: '/api/v1/users/{id}/invite' }, { params: [id] }, options)
  }

  /**
   * Get the signed-in user.
   *
   * Needs a signed-in user, at least viewer; API keys are refused.
   *
   * `GET /api/v1/users/me`, docs/reference/sdk.md#crmusersme
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  me(options?: CallOptions): ApiPromise<User> {
    return this.requester.call({ method: 'GET', path: '/api/v1/users/me' }, {}, options)
  }

  /**
   * Change the signed-in user’s name or availability.
   *
   * Needs a signed-in user, at least viewer; API keys are refused.
   *
   * `PUT /api/v1/users/me`, docs/reference/sdk.md#crmusersupdateme
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  updateMe(body: UpdateMe, options?: CallOptions): ApiPromise<User> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/users/me' }, { body }, options)
  }

  /**
   * Get one user.
   *
   * Needs the permission `read:conversations`.
   *
   * `GET /api/v1/users/{id}`, docs/reference/sdk.md#crmusersget
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(id: string, options?: CallOptions): ApiPromise<User> {
    return this.requester.call({ method: 'GET', path: '/api/v1/users/{id}' }, { params: [id] }, options)
  }

  /**
   * Change a user: name, role, activity.
   *
   * Only an owner changes an owner or makes one; the last owner stays.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `PUT /api/v1/users/{id}`, docs/reference/sdk.md#crmusersupdate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  update(id: string, body: UpdateUser, options?: CallOptions): ApiPromise<User> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/users/{id}' }, { params: [id], body }, options)
  }

  /**
   * Remove a user from the tenant.
   *
   * Their sessions end at once, their open conversations are unassigned, messages keep the sender’s name. Only an owner removes an owner; the last owner stays.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `DELETE /api/v1/users/{id}`, docs/reference/sdk.md#crmusersdelete
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/users/{id}', isMessage: true }, { params: [id] }, options)
  }
}
