import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  TimeoutError,
  ValidationError,
} from '@crmkit/sdk'

/** A failed call, as a screen shows it. */
export interface Problem {
  readonly kind: 'unreachable' | 'signedOut' | 'conflict' | 'invalid' | 'refused'
  /** The sentence of the service; for people who read English. */
  readonly sentence: string
  readonly code: string | undefined
  /** For the operator's log. */
  readonly requestId: string | undefined
  readonly details: unknown
}

export function problemOf(error: unknown): Problem {
  const isApi = error instanceof ApiError
  return {
    kind: kindOf(error),
    sentence: isApi ? sentenceOf(error) : error instanceof Error ? error.message : String(error),
    code: isApi ? error.code : undefined,
    requestId: isApi ? error.requestId : undefined,
    details: isApi ? error.details : undefined,
  }
}

/** The faults of one field of the request, such as `to`, and of its parts: `must be an e-mail address`. */
export function faultsOf(problem: Problem | undefined, field: string): string[] {
  const details: unknown = problem?.details
  if (!Array.isArray(details)) return []
  return details.flatMap((one: { field?: unknown; message?: unknown }) => {
    const name = String(one.field)
    return name === field || name.startsWith(`${field}.`) ? [String(one.message)] : []
  })
}

function kindOf(error: unknown): Problem['kind'] {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return 'unreachable'
  if (error instanceof AuthenticationError) return 'signedOut'
  if (error instanceof ConflictError) return 'conflict'
  return error instanceof ValidationError ? 'invalid' : 'refused'
}

/** The service's own sentence, without the hints for programmers that the client adds. */
function sentenceOf({ body, message }: ApiError): string {
  if (typeof body !== 'object' || body === null || !('error' in body)) return message
  return typeof body.error === 'string' ? body.error : message
}
