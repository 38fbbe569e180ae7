import type { ErrorCode } from '@crmkit/core'

/** One attempt of a call that failed in the end. */
export interface AttemptRecord {
  /** The status of the response; absent without a response. */
  readonly status?: number
  /** The failure in one word: the service's code, `CONNECTION` or `TIMEOUT`. */
  readonly outcome: string
  /** Milliseconds from the start of the call to the end of this attempt. */
  readonly endedAfterMs: number
}

/** The base class of all errors of this client. No message contains a credential. */
export class CrmError extends Error {
  override readonly name: string = 'CrmError'
  /**
   * The attempts of the call, the last one included; empty when none was made. For a failed sign-in or
   * renewal, `cause` has the attempts of that call.
   */
  attempts: readonly AttemptRecord[] = []
  /** Method of the call, such as `GET`; undefined for an error outside of a call, such as an invalid option. */
  method: string | undefined = undefined
  /** Path of the call without its query, such as `/api/v1/customers/cus_1`. */
  path: string | undefined = undefined
}

/** There was no response: name resolution, connection or TLS failed, or the connection broke. `cause` has the details. */
export class ConnectionError extends CrmError {
  override readonly name = 'ConnectionError'
}

/** An attempt took longer than `timeout`, or the call longer than `deadline`. */
export class TimeoutError extends CrmError {
  override readonly name = 'TimeoutError'
  readonly scope: 'attempt' | 'deadline'
  /** Milliseconds that were allowed. */
  readonly limitMs: number

  constructor(scope: 'attempt' | 'deadline', limitMs: number) {
    super(
      scope === 'attempt'
        ? `No complete response within ${limitMs} ms`
        : `The call did not end within ${limitMs} ms`,
    )
    this.scope = scope
    this.limitMs = limitMs
  }
}

/** The caller's `signal` ended the call; `cause` is the signal's reason. */
export class AbortedError extends CrmError {
  override readonly name = 'AbortedError'

  constructor(reason: unknown) {
    super('The call was aborted', { cause: reason })
  }
}

/** One refused field of a 422. `rule` is stable and for programs, `message` is for people. */
export interface FieldProblem {
  field: string
  message: string
  rule: string
  in: 'body' | 'query' | 'path' | 'header' | (string & {})
}

/** The codes that this version knows. A newer server may send others. */
export type ApiErrorCode = ErrorCode | 'INVALID_RESPONSE' | `HTTP_${number}` | (string & {})

export interface ApiErrorFields {
  readonly status: number
  readonly code: ApiErrorCode
  readonly details: unknown
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined
  readonly body: unknown
  readonly cause?: unknown
}

/** The service refused, or failed. */
export class ApiError extends CrmError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Stable and for programs, such as `NOT_FOUND`. `HTTP_<status>` when the response is not the service's own. */
  readonly code: ApiErrorCode
  readonly details: unknown
  /** Id of the request, for questions to the operator. */
  readonly requestId: string | undefined
  /** Milliseconds that the service asks to wait before a retry. */
  readonly retryAfterMs: number | undefined
  /** The whole body, parsed if it is JSON. */
  readonly body: unknown

  constructor(message: string, fields: ApiErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details
    this.requestId = fields.requestId
    this.retryAfterMs = fields.retryAfterMs
    this.body = fields.body
  }
}

/** 401: the credential is missing, invalid or expired. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/**
 * 403: the credential lacks a permission; `body` has `required` and `granted`. With the code `QUOTA_EXCEEDED` a limit of
 * the tenant is reached; `details` has its `name`, the `limit` and what is `used`.
 */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError'
}

/** 404: the id is unknown, malformed or of another tenant. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409: a unique value is taken, or the state does not allow the change (`details.allowed` lists the allowed values). */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 422: fields are refused; `problems` lists all of them. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError'

  get problems(): readonly FieldProblem[] {
    return Array.isArray(this.details) ? this.details : []
  }
}

/** 429: too many requests; `retryAfterMs` is the time to wait. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}

/** 5xx: the service or a proxy failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}
