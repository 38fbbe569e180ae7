/** One attempt of a call that failed in the end. */
export interface AttemptRecord {
  /** The answer's status; absent when there was no answer. */
  readonly status?: number
  /** What went wrong, in one word: the service's code, `CONNECTION` or `TIMEOUT`. */
  readonly outcome: string
  /** Milliseconds from the start of the call to the end of this attempt. */
  readonly endedAfterMs: number
}

/** Everything that this client throws. No message ever holds a credential. */
export class CrmError extends Error {
  override readonly name: string = 'CrmError'
  /**
   * The attempts of the call, the last one included; empty when none was made. Where a session could not be begun or
   * renewed, the attempts of that are in those of `cause`.
   */
  attempts: readonly AttemptRecord[] = []
}

/** There was no answer: name resolution, connection, TLS, or a connection that broke. `cause` says more. */
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
        ? `No complete answer within ${limitMs} ms`
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

/** One refused field of a 422. `rule` is stable and meant for programs, `message` for people. */
export interface FieldProblem {
  field: string
  message: string
  rule: string
  in: 'body' | 'query' | 'path' | 'header' | (string & {})
}

export interface ApiErrorFields {
  readonly status: number
  readonly code: string
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
  /** Stable and meant for programs, such as `NOT_FOUND`. `HTTP_<status>` when the answer was not the service's own. */
  readonly code: string
  readonly details: unknown
  /** What to name when asking about this answer. */
  readonly requestId: string | undefined
  /** Milliseconds after which the service wants to be asked again. */
  readonly retryAfterMs: number | undefined
  /** The whole answer, parsed where it is JSON. */
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

/** 401: no credential, or one that does not work (any more). */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the credential may not do this; `body` names what is `required` and what was `granted`. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError'
}

/** 404: unknown, malformed and foreign ids all get this one answer. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409: a unique value is taken, or the state refuses the move (`details.allowed` then says what it allows). */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 422: fields are refused; all failures come at once. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError'

  get problems(): readonly FieldProblem[] {
    return Array.isArray(this.details) ? this.details : []
  }
}

/** 429: too many requests; `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}

/** 5xx: the service, or something on the way to it, failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}
