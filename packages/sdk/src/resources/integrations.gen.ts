// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  AutoSync,
  CreateIntegration,
  Integration,
  UpdateIntegration,
} from './types.gen.ts'

/** Sources of imported records: external CRMs and uploaded files, their settings and their progress. */
export class IntegrationsResource extends Resource {
  /**
   * List all integrations, oldest first.
   *
   * `GET /api/extcrm/integrations`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @throws {AuthenticationError | PermissionError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationslist
   */
  list(options?: CallOptions): ApiPromise<Integration[]> {
    return this.requester.call({ method: 'GET', path: '/api/extcrm/integrations' }, {}, options)
  }

  /**
   * Create an integration for files.
   *
   * A tenant has at most 50 integrations.
   *
   * `POST /api/extcrm/integrations`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationscreate
   */
  create(body: CreateIntegration, options?: CallOptions): ApiPromise<Integration> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations' }, { body }, options)
  }

  /**
   * Get one integration with the progress of its import.
   *
   * `GET /api/extcrm/integrations/{id}`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param id Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationsget
   */
  get(id: string, options?: CallOptions): ApiPromise<Integration> {
    return this.requester.call({ method: 'GET', path: '/api/extcrm/integrations/{id}' }, { params: [id] }, options)
  }

  /**
   * Update an integration.
   *
   * An absent field keeps its value; `importSettings` and `mapping` are merged. With `isActive: false` a run in progress is cancelled, and automatic sync is switched off.
   *
   * `PUT /api/extcrm/integrations/{id}`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param id Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationsupdate
   */
  update(id: string, body: UpdateIntegration, options?: CallOptions): ApiPromise<Integration> {
    return this.requester.call({ method: 'PUT', path: '/api/extcrm/integrations/{id}' }, { params: [id], body }, options)
  }

  /**
   * Disconnect an integration; imported records stay.
   *
   * Cancels a run in progress and removes credentials, uploaded files and settings. The same account, connected again, continues with the same records.
   *
   * `DELETE /api/extcrm/integrations/{id}`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param id Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationsdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/extcrm/integrations/{id}', isMessage: true }, { params: [id] }, options)
  }

  /**
   * Switch automatic sync on or off.
   *
   * `PUT /api/extcrm/integrations/{id}/auto-sync`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param id Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationssetautosync
   */
  setAutoSync(id: string, body: AutoSync, options?: CallOptions): ApiPromise<Integration> {
    return this.requester.call({ method: 'PUT', path: '/api/extcrm/integrations/{id}/auto-sync' }, { params: [id], body }, options)
  }
}
