// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  AutoSync,
  ConfirmIntegration,
  ConnectIntegration,
  CreateIntegration,
  Integration,
  IntegrationsFieldsQuery,
  SourceFields,
  StartedSignIn,
  TestedIntegration,
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
   * Create an integration for files, or connect an external CRM with credentials.
   *
   * Credentials are tried immediately: refused ones are 422 with the rule `credentials`, a source that cannot be reached is 422 with the rule `unreachable`. The same account again is the same integration with new credentials, and the status is 200. A tenant has at most 50 integrations. `credentials` is an unknown field for files and packages. `apiDomain` is an unknown field for files and packages. `accountsServer` is an unknown field for files and packages. Zoho CRM needs `apiDomain`. External CRMs need `credentials` with `refreshToken` or `accessToken`.
   *
   * `POST /api/extcrm/integrations`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationscreate
   */
  create(body: CreateIntegration, options?: CallOptions): ApiPromise<Integration> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations' }, { body }, options)
  }

  /**
   * Start a sign-in at an external CRM.
   *
   * Open `authorizationUrl` in a browser; after the grant, confirm with `state`. Only the person who started can confirm, within 10 minutes. Without a client id in the settings of the server: 422 with the rule `not_configured`.
   *
   * `POST /api/extcrm/integrations/connect/{provider}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param provider The external CRM.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationsconnect
   */
  connect(provider: string, body: ConnectIntegration, options?: CallOptions): ApiPromise<StartedSignIn> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations/connect/{provider}', isRepeatable: false }, { params: [provider], body }, options)
  }

  /**
   * Connect the account of a sign-in.
   *
   * The status is 404 until the person has granted access in the browser, and after the state was used; 422 with the rule `denied` when the person has refused. The same account again is the same integration with new credentials, and the status is 200.
   *
   * `POST /api/extcrm/oauth/{provider}/confirm`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param provider The external CRM.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationsconfirm
   */
  confirm(provider: string, body: ConfirmIntegration, options?: CallOptions): ApiPromise<Integration> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/oauth/{provider}/confirm' }, { params: [provider], body }, options)
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
   * An absent field keeps its value; `importSettings`, `mapping`, `values` and `dateOrders` are merged. With `isActive: false` a run in progress is cancelled, and automatic sync is switched off.
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
   * Hand the conversations of a package over: from now on the team works here.
   *
   * Until then a reply to a conversation of the package is refused with `INVALID_STATE`, unless the header `Force` is `true`. Later packages change status, assignee and labels no more. An integration of another provider is an INVALID_STATE; one with an active run is IMPORT_IN_PROGRESS.
   *
   * `POST /api/extcrm/integrations/{id}/handover`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param id Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationshandover
   */
  handOver(id: string, options?: CallOptions): ApiPromise<Integration> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations/{id}/handover' }, { params: [id] }, options)
  }

  /**
   * Test the connection of an integration.
   *
   * Takes at most 15 s and two requests to the source. The status is 200 whether the source can be read or not.
   *
   * `POST /api/extcrm/integrations/{id}/test`. Needs a signed-in user, at least admin, or an API key with `write:customers` and `write:conversations`.
   *
   * @param id Id of the integration.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationstest
   */
  test(id: string, options?: CallOptions): ApiPromise<TestedIntegration> {
    return this.requester.call({ method: 'POST', path: '/api/extcrm/integrations/{id}/test' }, { params: [id] }, options)
  }

  /**
   * List the fields of a module of a source, and what each is mapped to.
   *
   * The result may be 10 minutes old.
   *
   * `GET /api/extcrm/fields/{module}`. Needs a signed-in user, at least admin, or an API key with `read:customers`.
   *
   * @param module Module of the source.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmintegrationsfields
   */
  fields(module: string, query?: IntegrationsFieldsQuery, options?: CallOptions): ApiPromise<SourceFields> {
    return this.requester.call({ method: 'GET', path: '/api/extcrm/fields/{module}' }, { params: [module], query }, options)
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
