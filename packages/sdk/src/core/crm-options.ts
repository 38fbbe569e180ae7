import type { Fetch } from './attempt.ts'
import type { TokenSource } from './credentials.ts'
import { CrmError } from './errors.ts'

/** Options of a client. At most one of `apiKey`, `accessToken` and `session` is given. */
export interface CrmOptions {
  /**
   * Address of the server, such as `https://crm.example.com`. It may have a path, which precedes `/api`. Default: the
   * environment variable `CRM_BASE_URL`.
   */
  readonly baseUrl?: string | undefined
  /**
   * `sk_live_…` or `sk_test_…`. Default: the environment variable `CRM_API_KEY`, when `baseUrl` comes from the environment
   * too, so that the key of one server is never sent to another.
   */
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
  /** Called before each attempt. It may change the headers. */
  readonly onRequest?: ((request: AttemptedRequest) => void | Promise<void>) | undefined
  /** Called after each attempt, with its response or its error. */
  readonly onResponse?: ((outcome: AttemptOutcome) => void) | undefined
  /** Gets one line for each attempt at `debug`, and one for each retry at `warn`: `console`, or a logger like it. */
  readonly logger?: Pick<Console, 'debug' | 'warn'> | undefined
}

/** The options that `withOptions` replaces. */
export type OwnOptions = Omit<CrmOptions, 'baseUrl' | 'apiKey' | 'accessToken' | 'session'>

/** An attempt that is about to be sent. */
export interface AttemptedRequest {
  readonly method: string
  readonly url: string
  /** They include the credential. */
  readonly headers: Headers
}

/** An attempt that has ended. */
export interface AttemptOutcome {
  readonly method: string
  readonly url: string
  /** From 1. */
  readonly attempt: number
  /** Milliseconds of this attempt. */
  readonly ms: number
  /** Undefined without a response. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  /** Undefined for a success. */
  readonly error: CrmError | undefined
}

/** The options with what the environment adds. Throws a CrmError without an address. */
export function withEnvironment(given: CrmOptions): CrmOptions & { readonly baseUrl: string } {
  if (given.baseUrl !== undefined) return { ...given, baseUrl: given.baseUrl }
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  const { CRM_BASE_URL: baseUrl, CRM_API_KEY: apiKey } = process?.env ?? {}
  if (!baseUrl)
    throw new CrmError('baseUrl is missing: pass it, or set the environment variable CRM_BASE_URL')
  const hasCredential = given.apiKey ?? given.accessToken ?? given.session
  return { ...given, baseUrl, ...(apiKey && hasCredential === undefined && { apiKey }) }
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
