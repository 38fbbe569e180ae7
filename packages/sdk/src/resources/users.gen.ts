// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  InviteUser,
  InvitedUser,
  Mention,
  OwnUser,
  SetActivity,
  UpdateMe,
  UpdateUser,
  User,
  UsersListMentionsQuery,
  UsersListQuery,
} from './types.gen.ts'

/** Members of the team: invitations, roles, availability. */
export class UsersResource extends Resource {
  /**
   * List the users of the tenant, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/users`. Needs the permission `read:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmuserslist
   */
  list(query?: UsersListQuery, options?: CallOptions): PagePromise<User> {
    return this.requester.list({ method: 'GET', path: '/api/v1/users' }, { query }, options)
  }

  /**
   * Invite a person to the tenant; the invite token is shown once.
   *
   * The user is inactive until the person accepts the invitation with the token, within 72 hours. The service does not send the token: pass it on yourself. Only an owner can invite an owner.
   *
   * If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.
   *
   * `POST /api/v1/users`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmuserscreate
   */
  create(body: InviteUser, options?: CallOptions): ApiPromise<InvitedUser> {
    return this.requester.call({ method: 'POST', path: '/api/v1/users' }, { body }, options)
  }

  /**
   * Create a new invite token for a user who has not accepted yet; the earlier token stops working.
   *
   * If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.
   *
   * `POST /api/v1/users/{id}/invite`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the user.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmusersinviteagain
   */
  inviteAgain(id: string, options?: CallOptions): ApiPromise<InvitedUser> {
    return this.requester.call({ method: 'POST', path: '/api/v1/users/{id}/invite' }, { params: [id] }, options)
  }

  /**
   * Get the signed-in user.
   *
   * `GET /api/v1/users/me`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmusersme
   */
  me(options?: CallOptions): ApiPromise<OwnUser> {
    return this.requester.call({ method: 'GET', path: '/api/v1/users/me' }, {}, options)
  }

  /**
   * Update the name, the availability or the image senders of the signed-in user.
   *
   * With `availability`, the user says that they are online, away or offline, until `availabilityUntil` or the next change. Null gives that back to the service: then live streams and input decide. `imageSender` alone emits no event.
   *
   * `PUT /api/v1/users/me`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmusersupdateme
   */
  updateMe(body: UpdateMe, options?: CallOptions): ApiPromise<OwnUser> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/users/me' }, { body }, options)
  }

  /**
   * Say whether the signed-in user works with this session.
   *
   * For clients with a screen, on change only. A user whose mode is `auto` is online with a live stream and with input in one of their sessions in the last 10 minutes. To open a live stream is input; to resume one with `Last-Event-ID` is none.
   *
   * `PUT /api/v1/users/me/activity`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmuserssetactivity
   */
  setActivity(body: SetActivity, options?: CallOptions): ApiPromise<User> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/users/me/activity' }, { body }, options)
  }

  /**
   * List the notes that mention the signed-in user, newest first.
   *
   * A mention is read when its user has read the conversation up to the note.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/users/me/mentions`. Needs a signed-in user, at least viewer; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmuserslistmentions
   */
  listMentions(query?: UsersListMentionsQuery, options?: CallOptions): PagePromise<Mention> {
    return this.requester.list({ method: 'GET', path: '/api/v1/users/me/mentions' }, { query }, options)
  }

  /**
   * Get one user.
   *
   * `GET /api/v1/users/{id}`. Needs the permission `read:conversations`.
   *
   * @param id Id of the user.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmusersget
   */
  get(id: string, options?: CallOptions): ApiPromise<User> {
    return this.requester.call({ method: 'GET', path: '/api/v1/users/{id}' }, { params: [id] }, options)
  }

  /**
   * Update a user: name, availability, role, active or not.
   *
   * Only an owner can change an owner or appoint one. The last owner cannot be demoted or deactivated.
   *
   * `PUT /api/v1/users/{id}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the user.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmusersupdate
   */
  update(id: string, body: UpdateUser, options?: CallOptions): ApiPromise<User> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/users/{id}' }, { params: [id], body }, options)
  }

  /**
   * Remove a user from the tenant.
   *
   * The user’s sessions end immediately, their open conversations are unassigned, and messages keep the sender’s name. Only an owner can remove an owner. The last owner cannot be removed.
   *
   * `DELETE /api/v1/users/{id}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the user.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmusersdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/users/{id}', isMessage: true }, { params: [id] }, options)
  }
}
