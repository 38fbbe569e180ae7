import type { ApiPromise } from './core/api-promise.ts'
import type { CallOptions } from './core/call-options.ts'
import type { CrmOptions, OwnOptions } from './core/crm-options.ts'
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
 * Transient failures are retried, a POST with one `Idempotency-Key` for all its attempts.
 * Throws a `CrmError` for invalid options. Calls throw `ApiError` and the other subclasses of `CrmError`.
 */
export class Crm extends ResourceTree {
  readonly #requester: Requester

  constructor(options?: CrmOptions)
  /** A derived client has a requester already. */
  constructor(options: CrmOptions | Requester = {}) {
    const requester = options instanceof Requester ? options : new Requester(options)
    super(requester)
    this.#requester = requester
  }

  /** A client with other options and the same server and credential: `crm.withOptions({ deadline: 5_000 })`. */
  withOptions(options: OwnOptions): Crm {
    return new Crm(this.#requester.withOptions(options) as object)
  }

  /**
   * Sends any request to the server, with the client's credential, retries and errors, and returns the whole
   * parsed body (the text of a body that is not JSON). For paths that have no method here.
   */
  request<T = unknown>(
    method: Route['method'],
    path: string,
    input: { readonly query?: object | undefined; readonly body?: unknown } = {},
    options?: CallOptions,
  ): ApiPromise<T> {
    return this.#requester.raw<T>({ method, path }, input, options)
  }
}
