// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CreateWebhook,
  CreatedWebhook,
  DeliveryLog,
  LoggedDelivery,
  RecoverDeliveries,
  RecoveredDeliveries,
  RotateWebhookSecret,
  TestedDelivery,
  UpdateWebhook,
  Webhook,
  WebhooksListQuery,
  WebhooksLogsQuery,
} from './types.gen.ts'

/** Signed calls to your receivers: subscriptions, delivery logs, tests, redelivery, recovery. */
export class WebhooksResource extends Resource {
  /**
   * List webhooks, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/webhooks`. Needs the permission `webhook:manage`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhookslist
   */
  list(query?: WebhooksListQuery, options?: CallOptions): PagePromise<Webhook> {
    return this.requester.list({ method: 'GET', path: '/api/v1/webhooks', rows: 'webhooks' }, { query }, options)
  }

  /**
   * Create a webhook; its signing secret is shown once.
   *
   * A tenant has at most 50 webhooks. The URL must be HTTPS and resolve to a public address. The caller also needs the permissions to read the events. When the caller loses them, the webhook is deactivated. The default of 3 retries ends 14 s after the first attempt; 10 retries end after 34 minutes. A delivery that failed permanently is replayed with `recover`.
   *
   * If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.
   *
   * `POST /api/v1/webhooks`. Needs the permission `webhook:manage`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhookscreate
   */
  create(body: CreateWebhook, options?: CallOptions): ApiPromise<CreatedWebhook> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks' }, { body }, options)
  }

  /**
   * Get one webhook.
   *
   * `GET /api/v1/webhooks/{id}`. Needs the permission `webhook:manage`.
   *
   * @param id Id of the webhook.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhooksget
   */
  get(id: string, options?: CallOptions): ApiPromise<Webhook> {
    return this.requester.call({ method: 'GET', path: '/api/v1/webhooks/{id}' }, { params: [id] }, options)
  }

  /**
   * Update a webhook.
   *
   * A change of `events` or `url` and an activation need the permissions to read the events, and make the caller the maker of the webhook. A signed-in user becomes the maker with `isActive: true` even if it is active. After a deactivation, `recover` replays missed events.
   *
   * `PUT /api/v1/webhooks/{id}`. Needs the permission `webhook:manage`.
   *
   * @param id Id of the webhook.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhooksupdate
   */
  update(id: string, body: UpdateWebhook, options?: CallOptions): ApiPromise<Webhook> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/webhooks/{id}' }, { params: [id], body }, options)
  }

  /**
   * Permanently delete a webhook; deliveries stop immediately.
   *
   * `DELETE /api/v1/webhooks/{id}`. Needs the permission `webhook:manage`.
   *
   * @param id Id of the webhook.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhooksdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/webhooks/{id}', isMessage: true }, { params: [id] }, options)
  }

  /**
   * Send one test event now and return the result of the attempt.
   *
   * Makes one attempt without retries, even if the webhook is inactive. The status is 200 whether the receiver accepted the event or not.
   *
   * `POST /api/v1/webhooks/{id}/test`. Needs the permission `webhook:manage`.
   *
   * @param id Id of the webhook.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhookstest
   */
  test(id: string, options?: CallOptions): ApiPromise<TestedDelivery> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks/{id}/test' }, { params: [id] }, options)
  }

  /**
   * List the delivery attempts of a webhook, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/webhooks/{id}/logs`. Needs the permission `webhook:manage`.
   *
   * @param id Id of the webhook.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhookslogs
   */
  logs(id: string, query?: WebhooksLogsQuery, options?: CallOptions): PagePromise<DeliveryLog> {
    return this.requester.list({ method: 'GET', path: '/api/v1/webhooks/{id}/logs', rows: 'logs' }, { params: [id], query }, options)
  }

  /**
   * Get one delivery attempt of a webhook, with its request.
   *
   * Of the response of the receiver it shows the status, the error and the times, and never the body or a header.
   *
   * `GET /api/v1/webhooks/{id}/logs/{logId}`. Needs the permission `webhook:manage`.
   *
   * @param id Id of the webhook.
   * @param logId Id of the log row.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhooksgetlog
   */
  getLog(id: string, logId: string, options?: CallOptions): ApiPromise<LoggedDelivery> {
    return this.requester.call({ method: 'GET', path: '/api/v1/webhooks/{id}/logs/{logId}' }, { params: [id, logId] }, options)
  }

  /**
   * Deliver the event of an attempt again, immediately.
   *
   * Works for delivered events too. The response is the planned attempt, and its number continues the earlier ones. A delivery with a planned attempt keeps that attempt. For an event from before the last change of the `url`, the caller needs the permission to read the event.
   *
   * `POST /api/v1/webhooks/{id}/logs/{logId}/redeliver`. Needs the permission `webhook:manage`.
   *
   * @param id Id of the webhook.
   * @param logId Id of the log row.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhooksredeliver
   */
  redeliver(id: string, logId: string, options?: CallOptions): ApiPromise<DeliveryLog> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks/{id}/logs/{logId}/redeliver' }, { params: [id, logId] }, options)
  }

  /**
   * Rotate the signing secret; the new secret is shown once.
   *
   * During the overlap (default 24 hours) `webhook-signature` contains signatures with both secrets, `X-Webhook-Signature` the signature with the old secret, and `X-Webhook-Signature-Next` the signature with the new secret.
   *
   * If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.
   *
   * `POST /api/v1/webhooks/{id}/rotate-secret`. Needs the permission `webhook:manage`.
   *
   * @param id Id of the webhook.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhooksrotatesecret
   */
  rotateSecret(id: string, body: RotateWebhookSecret, options?: CallOptions): ApiPromise<CreatedWebhook> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks/{id}/rotate-secret' }, { params: [id], body }, options)
  }

  /**
   * Replay missing or permanently failed deliveries, up to 1,000 events per call.
   *
   * Repeat the call with `nextCursor` until it is null. It is safe to start over: each event is delivered to a webhook once. Erased events are skipped. The caller also needs read:customers and read:conversations.
   *
   * `POST /api/v1/webhooks/{id}/recover`. Needs the permission `webhook:manage`.
   *
   * @param id Id of the webhook.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmwebhooksrecover
   */
  recover(id: string, body: RecoverDeliveries, options?: CallOptions): ApiPromise<RecoveredDeliveries> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks/{id}/recover' }, { params: [id], body }, options)
  }
}
