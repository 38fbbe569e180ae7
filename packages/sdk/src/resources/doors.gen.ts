// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CallOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  Door,
  DoorsListQuery,
} from './types.gen.ts'

/** Where mail and imports come in and out: the doors that do not work at present. */
export class DoorsResource extends Resource {
  /**
   * List the doors that do not work, newest first.
   *
   * A door is listed after 15 minutes of trouble, or at once when its sign-in is refused, until 15 minutes have passed without any. `inbox.failing`, `inbox.recovered`, `integration.failing` and `integration.recovered` report the same.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/v1/doors`. Needs the permission `read:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmdoorslist
   */
  list(query?: DoorsListQuery, options?: CallOptions): PagePromise<Door> {
    return this.requester.list({ method: 'GET', path: '/api/v1/doors' }, { query }, options)
  }
}
