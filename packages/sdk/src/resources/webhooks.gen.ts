// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CreateWebhook,
  CreatedWebhook,
  DeliveryLog,
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
   * Needs the permission `webhook:manage`.
   *
   * `GET /api/v1/webhooks`, docs/reference/sdk.md#crmwebhookslist
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  list(query?: WebhooksListQuery, options?: CallOptions): PagePromise<Webhook> {
    return this.requester.list({ method: 'GET', path: '/api/v1/webhooks', rows: 'webhooks' }, { query }, options)
  }

  /**
   * Create a webhook; its signing secret is shown once.
   *
   * At most 50 webhooks a tenant. The URL is HTTPS and leads to a public address.
   *
   * When an answer is lost, a retry ends in a `ConflictError`: the secret is shown only once.
   *
   * Needs the permission `webhook:manage`.
   *
   * `POST /api/v1/webhooks`, docs/reference/sdk.md#crmwebhookscreate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  create(body: CreateWebhook, options?: CallOptions): ApiPromise<CreatedWebhook> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks' }, { body }, options)
  }

  /**
   * Get one webhook.
   *
   * Needs the permission `webhook:manage`.
   *
   * `GET /api/v1/webhooks/{id}`, docs/reference/sdk.md#crmwebhooksget
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(id: string, options?: CallOptions): ApiPromise<Webhook> {
    return this.requester.call({ method: 'GET', path: '/api/v1/webhooks/{id}' }, { params: [id] }, options)
  }

  /**
   * Change a webhook.
   *
   * Needs the permission `webhook:manage`.
   *
   * `PUT /api/v1/webhooks/{id}`, docs/reference/sdk.md#crmwebhooksupdate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  update(id: string, body: UpdateWebhook, options?: CallOptions): ApiPromise<Webhook> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/webhooks/{id}' }, { params: [id], body }, options)
  }

  /**
   * Permanently remove a webhook; deliveries stop at once.
   *
   * Needs the permission `webhook:manage`.
   *
   * `DELETE /api/v1/webhooks/{id}`, docs/reference/sdk.md#crmwebhooksdelete
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/webhooks/{id}', isMessage: true }, { params: [id] }, options)
  }

  /**
   * Send one test event now and show the attempt as it was.
   *
   * One attempt without retries, also when the webhook is inactive; 200 whatever the receiver said.
   *
   * Needs the permission `webhook:manage`.
   *
   * `POST /api/v1/webhooks/{id}/test`, docs/reference/sdk.md#crmwebhookstest
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  test(id: string, options?: CallOptions): ApiPromise<TestedDelivery> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks/{id}/test' }, { params: [id] }, options)
  }

  /**
   * List the attempts to deliver to a webhook, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * Needs the permission `webhook:manage`.
   *
   * `GET /api/v1/webhooks/{id}/logs`, docs/reference/sdk.md#crmwebhookslogs
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  logs(id: string, query?: WebhooksLogsQuery, options?: CallOptions): PagePromise<DeliveryLog> {
    return this.requester.list({ method: 'GET', path: '/api/v1/webhooks/{id}/logs', rows: 'logs' }, { params: [id], query }, options)
  }

  /**
   * Get one attempt to deliver to a webhook.
   *
   * Needs the permission `webhook:manage`.
   *
   * `GET /api/v1/webhooks/{id}/logs/{logId}`, docs/reference/sdk.md#crmwebhooksgetlog
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  getLog(id: string, logId: string, options?: CallOptions): ApiPromise<DeliveryLog> {
    return this.requester.call({ method: 'GET', path: '/api/v1/webhooks/{id}/logs/{logId}' }, { params: [id, logId] }, options)
  }

  /**
   * Send the event of an attempt to the webhook again at once.
   *
   * Also when it was delivered. The attempt numbers go on; the answer is the planned attempt. A delivery whose next attempt is planned already keeps that one. An event from before the last change of the `url` is only sent again for a caller who may read it.
   *
   * Needs the permission `webhook:manage`.
   *
   * `POST /api/v1/webhooks/{id}/logs/{logId}/redeliver`, docs/reference/sdk.md#crmwebhooksredeliver
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  redeliver(id: string, logId: string, options?: CallOptions): ApiPromise<DeliveryLog> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks/{id}/logs/{logId}/redeliver' }, { params: [id, logId] }, options)
  }

  /**
   * Make a new signing secret, which is shown once.
   *
   * Until the overlap (24 hours unless told otherwise) ends, `webhook-signature` holds signatures of both secrets, `X-Webhook-Signature` that of the old one and `X-Webhook-Signature-Next` that of the new one.
   *
   * When an answer is lost, a retry ends in a `ConflictError`: the secret is shown only once.
   *
   * Needs the permission `webhook:manage`.
   *
   * `POST /api/v1/webhooks/{id}/rotate-secret`, docs/reference/sdk.md#crmwebhooksrotatesecret
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  rotateSecret(id: string, body: RotateWebhookSecret, options?: CallOptions): ApiPromise<CreatedWebhook> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks/{id}/rotate-secret' }, { params: [id], body }, options)
  }

  /**
   * Make the deliveries that are missing or failed for good, up to 1,000 events a call.
   *
   * Call again with `nextCursor` until it is null. Calling again from the start does no harm: each event is delivered to a webhook once. Erased events are left out. The caller needs read:customers and read:conversations too.
   *
   * Needs the permission `webhook:manage`.
   *
   * `POST /api/v1/webhooks/{id}/recover`, docs/reference/sdk.md#crmwebhooksrecover
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  recover(id: string, body: RecoverDeliveries, options?: CallOptions): ApiPromise<RecoveredDeliveries> {
    return this.requester.call({ method: 'POST', path: '/api/v1/webhooks/{id}/recover' }, { params: [id], body }, options)
  }
}
