// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CreateCustomer,
  Customer,
  CustomersExportQuery,
  CustomersListQuery,
  MergeCustomers,
  UpdateCustomer,
} from './types.gen.ts'

/** The people who ask for help. They can be merged, exported and erased. */
export class CustomersResource extends Resource {
  /**
   * List customers, newest first.
   *
   * Every term of `search` must occur in the name, e-mail, phone or company. All of `tags` must be present.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * Needs the permission `read:customers`.
   *
   * `GET /api/v1/customers`, docs/reference/sdk.md#crmcustomerslist
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  list(query?: CustomersListQuery, options?: CallOptions): PagePromise<Customer> {
    return this.requester.list({ method: 'GET', path: '/api/v1/customers', canSort: true }, { query }, options)
  }

  /**
   * Get one customer.
   *
   * Needs the permission `read:customers`.
   *
   * `GET /api/v1/customers/{id}`, docs/reference/sdk.md#crmcustomersget
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(id: string, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'GET', path: '/api/v1/customers/{id}' }, { params: [id] }, options)
  }

  /**
   * Create a customer.
   *
   * At least one of firstName, lastName, email and phone is required.
   *
   * Needs the permission `write:customers`.
   *
   * `POST /api/v1/customers`, docs/reference/sdk.md#crmcustomerscreate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  create(body: CreateCustomer, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers' }, { body }, options)
  }

  /**
   * Change a customer.
   *
   * An absent field keeps its value, null clears it; `tags` and `customFields` are replaced as a whole.
   *
   * Needs the permission `write:customers`.
   *
   * `PUT /api/v1/customers/{id}`, docs/reference/sdk.md#crmcustomersupdate
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  update(id: string, body: UpdateCustomer, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/customers/{id}' }, { params: [id], body }, options)
  }

  /**
   * Permanently remove a customer and everything that belongs to it.
   *
   * Needs the permission `write:customers`.
   *
   * `DELETE /api/v1/customers/{id}`, docs/reference/sdk.md#crmcustomersdelete
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/customers/{id}', isMessage: true }, { params: [id] }, options)
  }

  /**
   * Merge another customer into this one.
   *
   * Blank fields are filled from the source, tags and custom fields joined (the target’s values win), and its conversations move. The source is deleted, which is no erasure: what moved stays.
   *
   * Needs the permission `write:customers`.
   *
   * `POST /api/v1/customers/{id}/merge`, docs/reference/sdk.md#crmcustomersmerge
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ConflictError} a unique value is taken, or the state refuses it (409)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  merge(id: string, body: MergeCustomers, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers/{id}/merge' }, { params: [id], body }, options)
  }

  /**
   * Download everything that is kept of a customer.
   *
   * Their record, their conversations with all messages (notes too), and what they wrote in the conversations of others. JSON, or CSV as `section,record,field,value`, in which a cell that a spreadsheet would take for a formula begins with `'`.
   *
   * Answers the `Response` as soon as its head is there, which `timeout` and `deadline` bound: read `body`, `blob()` or `text()`; `signal` ends that, too. The name is in its `content-disposition`.
   *
   * Needs a signed-in user, at least admin; API keys are refused.
   *
   * `GET /api/v1/customers/{id}/export`, docs/reference/sdk.md#crmcustomersexport
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {NotFoundError} there is no such resource in this tenant (404)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  export(id: string, query?: CustomersExportQuery, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/v1/customers/{id}/export' }, { params: [id], query }, options)
  }
}
