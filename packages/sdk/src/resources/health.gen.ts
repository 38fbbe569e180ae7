// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  Health,
} from './types.gen.ts'

/** Whether the service can work, for load balancers. Needs no credential. */
export class HealthResource extends Resource {
  /**
   * Tell whether the service works; 503 when its storage does not.
   *
   * Needs no credential.
   *
   * `GET /api/v1/health`, docs/reference/sdk.md#crmhealthget
   *
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  get(options?: CallOptions): ApiPromise<Health> {
    return this.requester.call({ method: 'GET', path: '/api/v1/health', isPublic: true }, {}, options)
  }
}
