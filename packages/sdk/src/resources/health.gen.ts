// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  Health,
  Liveness,
} from './types.gen.ts'

/** State of the service, for load balancers. Needs no credential. */
export class HealthResource extends Resource {
  /**
   * Report whether the service works; 503 when its storage fails, and before it stops.
   *
   * `GET /api/v1/health`. Needs no credential.
   *
   * @throws {RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmhealthget
   */
  get(options?: CallOptions): ApiPromise<Health> {
    return this.requester.call({ method: 'GET', path: '/api/v1/health', isPublic: true }, {}, options)
  }

  /**
   * Report that the process responds, whatever its storage does: a supervisor need not start it anew.
   *
   * `GET /api/v1/health/live`. Needs no credential.
   *
   * @throws {RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmhealthgetliveness
   */
  getLiveness(options?: CallOptions): ApiPromise<Liveness> {
    return this.requester.call({ method: 'GET', path: '/api/v1/health/live', isPublic: true }, {}, options)
  }
}
