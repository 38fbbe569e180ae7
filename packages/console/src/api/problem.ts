import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  TimeoutError,
  ValidationError,
} from '@crmkit/sdk'
import { t } from '../strings/strings.ts'
import { secondTime } from '../strings/times.ts'

/** A failed call, as a screen shows it. */
export interface Problem {
  readonly kind: 'unreachable' | 'signedOut' | 'conflict' | 'invalid' | 'refused'
  /** A sentence for people, by the class of the failure, or the service's own sentence about what it refuses. */
  readonly sentence: string
  /** The words of programs and the id of the request, for whoever looks into it. */
  readonly detail: string
  readonly code: string | undefined
  readonly details: unknown
}

export function problemOf(error: unknown): Problem {
  const api = error instanceof ApiError ? error : undefined
  const own = api && ownSentence(api)
  const sentence = sentenceOf(error) ?? own ?? t.problems.other
  const words = own ?? (error instanceof Error ? error.message : String(error))
  const requestId = api?.requestId && t.common.requestId(api.requestId)
  return {
    kind: kindOf(error),
    sentence,
    detail: [words !== sentence && words, requestId].filter(Boolean).join(' '),
    code: api?.code,
    details: api?.details,
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

/** The sentence of a class of failures; undefined: the service says itself what it refuses. */
function sentenceOf(error: unknown): string | undefined {
  const texts = t.problems
  if (error instanceof TimeoutError) return texts.timeout
  if (error instanceof ConnectionError) return texts.offline
  if (!(error instanceof ApiError)) return undefined
  const { status, retryAfterMs, code } = error
  if (status >= 500) return texts.server
  if (status === 429)
    return texts.busy(retryAfterMs === undefined ? undefined : secondTime(Date.now() + retryAfterMs))
  if (code === 'INVALID_STATE') return texts.state
  return { 404: texts.missing, 409: texts.conflict, 413: texts.large }[status]
}

/** The service's sentence, without the hints for programmers that the client adds; undefined: the response is a proxy's. */
function ownSentence({ body }: ApiError): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  return typeof body.error === 'string' ? body.error : undefined
}
