// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions, MessageReply } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  SuppressedAddress,
  SuppressedAddressesListQuery,
} from './types.gen.ts'

/** Addresses that do not exist, as mail servers report. They get no mail. */
export class SuppressedAddressesResource extends Resource {
  /**
   * List suppressed addresses, newest first.
   *
   * A report that an address does not exist (5.1.x or 5.2.1) suppresses it, when it is about a mail of the tenant. A later mail to it is not sent: its recipient is `suppressed`.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/suppressed-addresses`. Needs the permission `read:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmsuppressedaddresseslist
   */
  list(query?: SuppressedAddressesListQuery, options?: CallOptions): PagePromise<SuppressedAddress> {
    return this.requester.list({ method: 'GET', path: '/api/v1/suppressed-addresses' }, { query }, options)
  }

  /**
   * Delete a suppressed address: mail is sent to it again.
   *
   * `DELETE /api/v1/suppressed-addresses/{id}`. Needs a signed-in user, at least admin; API keys are refused.
   *
   * @param id Id of the suppressed address.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmsuppressedaddressesdelete
   */
  delete(id: string, options?: CallOptions): ApiPromise<MessageReply> {
    return this.requester.call({ method: 'DELETE', path: '/api/v1/suppressed-addresses/{id}', isMessage: true }, { params: [id] }, options)
  }
}
