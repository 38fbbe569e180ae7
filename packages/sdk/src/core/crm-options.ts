import type { Fetch } from './attempt.ts'
import type { TokenSource } from './credentials.ts'
import { CrmError } from './errors.ts'

/** Options of a client. At most one of `apiKey`, `accessToken` and `session` is given. */
export interface CrmOptions {
  /** Address of the server, such as `https://crm.example.com`. It may have a path, which precedes `/api`. */
  readonly baseUrl: string
  /** `sk_live_…` or `sk_test_…`. */
  readonly apiKey?: string | undefined
  /** The access token of a session that the caller renews; a function is called before each call. */
  readonly accessToken?: TokenSource | undefined
  /** Signs in at the first call and renews the session automatically. `tenantId` is required with several memberships. */
  readonly session?:
    | { readonly email: string; readonly password: string; readonly tenantId?: string | undefined }
    | undefined
  /** Replaces the global `fetch`, which the client otherwise looks up at every attempt. */
  readonly fetch?: Fetch | undefined
  /** Milliseconds for one attempt, from connecting to the last byte of the response. Default: 30,000. */
  readonly timeout?: number | undefined
  /** Milliseconds for one call: all attempts and the waits between them. Default: no bound. */
  readonly deadline?: number | undefined
  /** Retries after the first attempt. 0 is exactly one request. Default: 2. */
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

// A timer above it would fire immediately.
const timerMaxMs = 2 ** 31 - 1

/** Throws a CrmError for an invalid bound, such as a timeout of 0. */
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
