// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  CapabilityToken,
  CreateCapabilityToken,
} from './types.gen.ts'

/** Tokens that let a browser make and take calls. */
export class TelephonyResource extends Resource {
  /**
   * Create a token that lets a browser call a customer.
   *
   * The token lives 10 minutes. Without a provider the token is signed with a development key and `provider` is `local`; in production the response is then 503.
   *
   * `POST /api/telephony/webrtc/capability-token`. Needs a signed-in user, at least agent; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmtelephonycreatetoken
   */
  createToken(body: CreateCapabilityToken, options?: CallOptions): ApiPromise<CapabilityToken> {
    return this.requester.call({ method: 'POST', path: '/api/telephony/webrtc/capability-token', isRepeatable: false }, { body }, options)
  }
}
