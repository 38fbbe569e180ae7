import type { Fetch } from './attempt.ts'
import type { TokenSource } from './credentials.ts'
import { CrmError } from './errors.ts'

/** How a client reaches the service. At most one of `apiKey`, `accessToken` and `session` is given. */
export interface CrmOptions {
  /** Where the server is, such as `https://crm.example.com`; a path in front of `/api` is kept. */
  readonly baseUrl: string
  /** `sk_live_…` or `sk_test_…`. */
  readonly apiKey?: string | undefined
  /** The access token of a session that the caller keeps alive; a function is asked before each call. */
  readonly accessToken?: TokenSource | undefined
  /** Signs in at the first call, and renews the session by itself. `tenantId` is needed with several memberships. */
  readonly session?:
    | { readonly email: string; readonly password: string; readonly tenantId?: string | undefined }
    | undefined
  /** Used in place of the global `fetch`, which is otherwise looked up at every attempt. */
  readonly fetch?: Fetch | undefined
  /** Milliseconds for one attempt, from connecting to the last byte of the answer. Default: 30,000. */
  readonly timeout?: number | undefined
  /** Milliseconds for one call: all attempts and the waits between them. Default: no bound. */
  readonly deadline?: number | undefined
  /** How many attempts may follow the first one. 0 is exactly one request. Default: 2. */
  readonly maxRetries?: number | undefined
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Limits {
  readonly timeoutMs: number
  readonly deadlineMs: number | undefined
  readonly maxRetries: number
}

type GivenLimits = Pick<CrmOptions, 'timeout' | 'deadline' | 'maxRetries'>

// Above it a timer would fire at once.
const timerMaxMs = 2 ** 31 - 1

/** Throws a CrmError for a bound that means nothing, such as a timeout of 0. */
export function limitsOf(given: GivenLimits, defaults: GivenLimits = {}): Limits {
  const timeoutMs = given.timeout ?? defaults.timeout ?? 30_000
  const deadlineMs = given.deadline ?? defaults.deadline
  const maxRetries = given.maxRetries ?? defaults.maxRetries ?? 2
  if (!isTime(timeoutMs)) throw new CrmError('timeout must be a positive number of milliseconds')
  if (deadlineMs !== undefined && !isTime(deadlineMs)) {
    throw new CrmError('deadline must be a positive number of milliseconds')
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new CrmError('maxRetries must be a whole number from 0')
  return { timeoutMs, deadlineMs, maxRetries }
}

function isTime(ms: number): boolean {
  return ms > 0 && ms <= timerMaxMs
}
