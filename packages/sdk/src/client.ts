import type { ApiPromise } from './core/api-promise.ts'
import type { CallOptions } from './core/call-options.ts'
import type { CrmOptions } from './core/crm-options.ts'
import { Requester } from './core/requester.ts'
import type { Route } from './core/route.ts'
import { ResourceTree } from './resources/resource-tree.gen.ts'

/**
 * The client of a crmkit server.
 *
 * ```ts
 * const crm = new Crm({ baseUrl: 'https://crm.example.com', apiKey })
 * const customer = await crm.customers.create({ firstName: 'Ada', email: 'ada@example.com' })
 * for await (const conversation of crm.conversations.list({ status: 'open' })) console.log(conversation.subject)
 * ```
 *
 * Calls that fail for a moment are repeated, a POST with one `Idempotency-Key` for all its attempts.
 * Throws a `CrmError` when the options make no sense; what calls throw is in `ApiError` and its siblings.
 */
export class Crm extends ResourceTree {
  readonly #requester: Requester

  constructor(options: CrmOptions) {
    const requester = new Requester(options)
    super(requester)
    this.#requester = requester
  }

  /**
   * Sends any request to the server, with the client's credential, retries and errors, and answers the whole
   * parsed body (the text where it is not JSON). For paths that have no method here.
   */
  request(
    method: Route['method'],
    path: string,
    input: { readonly query?: object | undefined; readonly body?: unknown } = {},
    options?: CallOptions,
  ): ApiPromise<unknown> {
    return this.#requester.raw(method, path, input, options)
  }
}
