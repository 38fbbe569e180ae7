// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  CreateCustomerNote,
  CustomerNote,
  CustomerNotesListQuery,
  UpdateCustomerNote,
} from './types.gen.ts'

/** Notes of the team about a customer, which the customer never sees. */
export class CustomerNotesResource extends Resource {
  /**
   * List the notes about a customer, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/customers/{id}/notes`. Needs the permission `read:customers`.
   *
   * @param customerId Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomernoteslist
   */
  list(customerId: string, query?: CustomerNotesListQuery, options?: CallOptions): PagePromise<CustomerNote> {
    return this.requester.list({ method: 'GET', path: '/api/v1/customers/{id}/notes' }, { params: [customerId], query }, options)
  }

  /**
   * Write a note about a customer.
   *
   * No event holds it, no search finds it, and the customer never sees it. A customer has at most 1000 notes; one more is a `CONFLICT`. Streams with `live=true` get `customer.notes` after each change of notes.
   *
   * `POST /api/v1/customers/{id}/notes`. Needs the permission `write:customers`.
   *
   * @param customerId Id of the customer.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomernotescreate
   */
  create(customerId: string, body: CreateCustomerNote, options?: CallOptions): ApiPromise<CustomerNote> {
    return this.requester.call({ method: 'POST', path: '/api/v1/customers/{id}/notes' }, { params: [customerId], body }, options)
  }

  /**
   * Get one note about a customer.
   *
   * `GET /api/v1/customers/{id}/notes/{noteId}`. Needs the permission `read:customers`.
   *
   * @param customerId Id of the customer.
   * @param noteId Id of the customer note.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomernotesget
   */
  get(customerId: string, noteId: string, options?: CallOptions): ApiPromise<CustomerNote> {
    return this.requester.call({ method: 'GET', path: '/api/v1/customers/{id}/notes/{noteId}' }, { params: [customerId, noteId] }, options)
  }

  /**
   * Change a note about a customer: one’s own, or as an admin any.
   *
   * With another `expectedVersion` than that of the note it is a `CONFLICT`, whose `details.note` is the note.
   *
   * `PUT /api/v1/customers/{id}/notes/{noteId}`. Needs the permission `write:customers`.
   *
   * @param customerId Id of the customer.
   * @param noteId Id of the customer note.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomernotesupdate
   */
  update(customerId: string, noteId: string, body: UpdateCustomerNote, options?: CallOptions): ApiPromise<CustomerNote> {
    return this.requester.call({ method: 'PUT', path: '/api/v1/customers/{id}/notes/{noteId}' }, { params: [customerId, noteId], body }, options)
  }

  /**
   * Delete a note about a customer: one’s own, or as an admin any.
   *
   * `DELETE /api/v1/customers/{id}/notes/{noteId}`. Needs the permission `write:customers`.
   *
   * @param customerId Id of the customer.
   * @param noteId Id of the customer note.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcustomernotesdelete
   */
  delete(customerId: string, noteId: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/customers/{id}/notes/{noteId}', isMessage: true }, { params: [customerId, noteId] }, options)
  }
}
