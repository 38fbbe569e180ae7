// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CreateCustomer,
  CreateCustomers,
  CreatedCustomer,
  Customer,
  CustomerDetails,
  CustomerMerge,
  CustomerTags,
  CustomersExportQuery,
  CustomersListQuery,
  ListedCustomer,
  MergeCustomers,
  PutCustomers,
  StoredCustomer,
  UnmergeCustomers,
  UnmergedCustomers,
  UpdateCustomer,
} from './types.gen.ts'

/** The people who ask for help. A customer can be merged, exported and erased. */
export class CustomersResource extends Resource {
  /**
   * List customers, newest first.
   *
   * A customer matches when every term of `search` occurs in its name, e-mail, phone or company, and when it has all of `tags`.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/customers`. Needs the permission `read:customers`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomerslist
   */
  list(query?: CustomersListQuery, options?: CallOptions): PagePromise<ListedCustomer> {
    return this.requester.list({ method: 'GET', path: '/api/v1/customers', canSort: true }, { query }, options)
  }

  /**
   * Get one customer.
   *
   * `GET /api/v1/customers/{id}`. Needs the permission `read:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersget
   */
  get(id: string, options?: CallOptions): ApiPromise<CustomerDetails> {
    return this.requester.call({ method: 'GET', path: '/api/v1/customers/{id}' }, { params: [id] }, options)
  }

  /**
   * Create a customer.
   *
   * At least one of firstName, lastName, email and phone is required.
   *
   * `POST /api/v1/customers`. Needs the permission `write:customers`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomerscreate
   */
  create(body: CreateCustomer, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers' }, { body }, options)
  }

  /**
   * Create up to 100 customers at once, or change their tags, with a result for each.
   *
   * A row that is not valid is refused with its problems, and the other rows are created. With `ids` instead of `customers`, tags are added and removed; one that fails leaves the others. All rows are stored in one commit. Exactly one of `customers` and `ids`; with `ids`, at least one of `addTags` and `removeTags`.
   *
   * `POST /api/v1/customers/bulk`. Needs the permission `write:customers`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomerscreatemany
   */
  createMany(body: CreateCustomers, options?: CallOptions): ApiPromise<CreatedCustomer[]> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers/bulk' }, { body }, options)
  }

  /**
   * Create or update the customer with an id of another system.
   *
   * Creates the customer when the tenant has none with this external id, and updates it otherwise: an absent field keeps its value, and null clears it. Requests at the same time make one customer.
   *
   * `PUT /api/v1/customers/by-external-id/{source}/{id}`. Needs the permission `write:customers`.
   *
   * @param source Name of the other system: 1 to 64 letters, digits, `-` and `_`.
   * @param id Id of the customer in the other system: 1 to 255 characters.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersputbyexternalid
   */
  putByExternalId(source: string, id: string, body: UpdateCustomer, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/customers/by-external-id/{source}/{id}' }, { params: [source, id], body }, options)
  }

  /**
   * Create or update up to 100 customers by ids of another system, with a result for each.
   *
   * Each row does what `PUT /api/v1/customers/by-external-id/{source}/{id}` does with its fields. A row that is not valid, that names the customer of an earlier row (rule `duplicate`), or whose id belongs to an imported record that is no customer (rule `conflict`) is refused with its problems, and the other rows are stored in one commit. A repeat changes nothing.
   *
   * `PUT /api/v1/customers/by-external-id/bulk`. Needs the permission `write:customers`.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersputmany
   */
  putMany(body: PutCustomers, options?: CallOptions): ApiPromise<StoredCustomer[]> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/customers/by-external-id/bulk' }, { body }, options)
  }

  /**
   * Update a customer.
   *
   * An absent field keeps its value, and null clears it. `tags` and `customFields` are replaced as a whole.
   *
   * `PUT /api/v1/customers/{id}`. Needs the permission `write:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersupdate
   */
  update(id: string, body: UpdateCustomer, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/customers/{id}' }, { params: [id], body }, options)
  }

  /**
   * Permanently delete a customer and all data that belongs to it.
   *
   * `DELETE /api/v1/customers/{id}`. Needs the permission `write:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/customers/{id}', isMessage: true }, { params: [id] }, options)
  }

  /**
   * Merge another customer into this one.
   *
   * Blank fields take the value of the source, and so do those for which `prefer` says `source`; tags and custom fields are joined (the values of the target win), and the conversations of the source move to the target. The source is deleted. Its moved data stays: a merge is no erasure, and `unmerge` takes it back for 30 days.
   *
   * `POST /api/v1/customers/{id}/merge`. Needs the permission `write:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersmerge
   */
  merge(id: string, body: MergeCustomers, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers/{id}/merge' }, { params: [id], body }, options)
  }

  /**
   * List the merges into a customer that can be taken back, newest first.
   *
   * The latest 50 of the last 30 days. `unmerge` takes each of them back. A merge that came along when its target was merged into this customer is listed once that one is taken back.
   *
   * `GET /api/v1/customers/{id}/merges`. Needs the permission `read:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersmerges
   */
  merges(id: string, options?: CallOptions): ApiPromise<CustomerMerge[]> {
    return this.requester.call({ method: 'GET', path: '/api/v1/customers/{id}/merges' }, { params: [id] }, options)
  }

  /**
   * Take back the merge of another customer into this one.
   *
   * Possible for 30 days after the merge. The source exists again with its old id and values. Rows that the merge moved and that still belong to this customer go back, with all their messages. Fields that the merge filled and nobody changed since are empty again. Later conversations stay here. A block stays on both. 409 when the 30 days are over, when the source was erased since, or when it is part of a customer who was merged in between: take back that merge first.
   *
   * `POST /api/v1/customers/{id}/unmerge`. Needs the permission `write:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersunmerge
   */
  unmerge(id: string, body: UnmergeCustomers, options?: CallOptions): ApiPromise<UnmergedCustomers> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers/{id}/unmerge' }, { params: [id], body }, options)
  }

  /**
   * Block a customer.
   *
   * Mail from the address of the customer is stored and ignored with the reason `blocked`, and the chat widget refuses their messages. Their earlier messages stay, and the team can still write to them. A customer who is blocked already stays as they are.
   *
   * `POST /api/v1/customers/{id}/block`. Needs the permission `write:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersblock
   */
  block(id: string, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers/{id}/block' }, { params: [id] }, options)
  }

  /**
   * Unblock a customer.
   *
   * New mail and messages of the customer arrive again. A mail that was ignored meanwhile can be processed again while its bytes are stored. A customer who is not blocked stays as they are.
   *
   * `POST /api/v1/customers/{id}/unblock`. Needs the permission `write:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersunblock
   */
  unblock(id: string, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers/{id}/unblock' }, { params: [id] }, options)
  }

  /**
   * Download all stored data of a customer.
   *
   * The file contains the customer, their conversations with all messages and notes, and their messages in conversations of others. The format is JSON, or CSV with the columns `section,record,field,value`. A CSV cell that a spreadsheet would run as a formula begins with `'`.
   *
   * Returns the `Response` as soon as its headers have arrived; `timeout` and `deadline` apply until then. Read `body`, `blob()` or `text()`; `signal` aborts that too. The name of the file is in `content-disposition`.
   *
   * `GET /api/v1/customers/{id}/export`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersexport
   */
  export(id: string, query?: CustomersExportQuery, options?: CallOptions): Promise<Response> {
    return this.requester.download({ method: 'GET', path: '/api/v1/customers/{id}/export' }, { params: [id], query }, options)
  }

  /**
   * Add tags to a customer.
   *
   * `POST /api/v1/customers/{id}/tags`. Needs the permission `write:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersaddtags
   */
  addTags(id: string, body: CustomerTags, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers/{id}/tags' }, { params: [id], body }, options)
  }

  /**
   * Remove tags from a customer, without regard to case.
   *
   * `DELETE /api/v1/customers/{id}/tags`. Needs the permission `write:customers`.
   *
   * @param id Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomersremovetags
   */
  removeTags(id: string, body: CustomerTags, options?: CallOptions): ApiPromise<Customer> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/customers/{id}/tags' }, { params: [id], body }, options)
  }
}
