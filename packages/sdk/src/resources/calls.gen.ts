// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import type { PagePromise } from '../core/page-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  Call,
  CallMetadata,
  CallsListQuery,
  CreateCall,
} from './types.gen.ts'

/** Phone calls with their state, recording and remarks. */
export class CallsResource extends Resource {
  /**
   * List calls, newest first.
   *
   * Await it for one page, or `for await` over it for every row.
   *
   * `GET /api/telephony/calls`. Needs a signed-in user, at least agent; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcallslist
   */
  list(query?: CallsListQuery, options?: CallOptions): PagePromise<Call> {
    return this.requester.list({ method: 'GET', path: '/api/telephony/calls' }, { query }, options)
  }

  /**
   * Record a call that a person makes or takes.
   *
   * It does not dial: the browser does, with a capability token.
   *
   * `POST /api/telephony/calls`. Needs a signed-in user, at least agent; API keys are refused.
   *
   * @throws {AuthenticationError | PermissionError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcallscreate
   */
  create(body: CreateCall, options?: CallOptions): ApiPromise<Call> {
    return this.requester.call({ method: 'POST', path: '/api/telephony/calls' }, { body }, options)
  }

  /**
   * Get one call.
   *
   * `GET /api/telephony/calls/{callId}`. Needs a signed-in user, at least agent; API keys are refused.
   *
   * @param callId Id of the call.
   * @throws {AuthenticationError | PermissionError | NotFoundError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcallsget
   */
  get(callId: string, options?: CallOptions): ApiPromise<Call> {
    return this.requester.call({ method: 'GET', path: '/api/telephony/calls/{callId}' }, { params: [callId] }, options)
  }

  /**
   * Update notes, tags and rating of a call.
   *
   * At least one field is there.
   *
   * `PATCH /api/telephony/calls/{callId}/metadata`. Needs a signed-in user, at least agent; API keys are refused.
   *
   * @param callId Id of the call.
   * @throws {AuthenticationError | PermissionError | NotFoundError | ConflictError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmcallsupdatemetadata
   */
  updateMetadata(callId: string, body: CallMetadata, options?: CallOptions): ApiPromise<Call> {
    return this.requester.call({ method: 'PATCH', path: '/api/telephony/calls/{callId}/metadata' }, { params: [callId], body }, options)
  }
}
