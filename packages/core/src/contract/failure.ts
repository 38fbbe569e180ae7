import { type ErrorCode, errorStatus } from './error-codes.ts'

/** One refused field. `rule` is stable and for programs, `message` is for people. Neither contains the value. */
export interface Problem {
  field: string
  message: string
  rule: string
  in: 'body' | 'query' | 'path' | 'header'
}

interface FailureExtras {
  details?: unknown
  /** Further members of the error envelope, e.g. `required` and `granted` of a 403. */
  extra?: Record<string, unknown>
  headers?: Record<string, string>
}

/** A refusal that the caller may see: code, message, details. Any other error becomes a fixed 500. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  readonly details: unknown
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, extras: FailureExtras = {}) {
    super(message)
    this.code = code
    this.details = extras.details
    this.extra = extras.extra ?? {}
    this.headers = extras.headers ?? {}
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

/** One response for unknown, malformed and foreign ids, so that a caller cannot distinguish them. */
export function notFound(): Failure {
  return new Failure('NOT_FOUND', 'There is no such resource')
}

/** A body of 1 MB can hold a hundred thousand wrong fields, or a very long field name: these bounds keep the response small. */
export const problemsMax = 100
const fieldLengthMax = 300

function cut(field: string): string {
  return field.length > fieldLengthMax ? `${field.slice(0, fieldLengthMax)}…` : field
}

/** The keys of these records are the caller's own words: the sentence names the record alone, and logs may hold it. */
const recordsOfCallers = /^(mapping|values|dateOrders|customFields|widget\.texts)\..*/s

export function validationFailure(problems: readonly Problem[]): Failure {
  const details = problems.slice(0, problemsMax).map((problem) => ({ ...problem, field: cut(problem.field) }))
  const names = details.map(({ field }) => field.replace(recordsOfCallers, '$1'))
  const fields = [...new Set(names.filter(Boolean))]
  const named = fields.length > 0 ? `: ${fields.slice(0, 5).join(', ')}${fields.length > 5 ? ', …' : ''}` : ''
  return new Failure('VALIDATION_ERROR', `The request is not valid${named}`, { details })
}

/** A problem with an id in the body that the caller's tenant does not have. */
export function referenceProblem(field: string, message = 'does not exist'): Problem {
  return { field, message, rule: 'reference', in: 'body' }
}

export function referenceFailure(...fields: string[]): Failure {
  return validationFailure(fields.map((field) => referenceProblem(field)))
}

export function invalidState(message: string, status: string, allowed: readonly string[]): Failure {
  return new Failure('INVALID_STATE', message, { details: { status, allowed } })
}

/** The failure of a change of a conversation that was merged into another one. */
export function mergedConversation(mergedInto: string): Failure {
  const details = { status: 'merged', allowed: [], mergedInto }
  return new Failure('INVALID_STATE', 'The conversation was merged into another one', { details })
}

export function conflict(message: string, details?: unknown): Failure {
  return new Failure('CONFLICT', message, { details })
}
