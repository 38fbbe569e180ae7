import ky from 'ky'
import { apiErrorOf } from './api-error-of.ts'
import { attempt, type Fetch, type ReadResponse } from './attempt.ts'
import { FollowingController, orAborted } from './call-signal.ts'
import type { Credentials } from './credentials.ts'
import type { CrmOptions, Limits } from './crm-options.ts'
import {
  AbortedError,
  ApiError,
  type AttemptRecord,
  AuthenticationError,
  CrmError,
  NotFoundError,
  TimeoutError,
} from './errors.ts'
import { type FormBody, isFormBody } from './form-body.ts'
import { ownFailureOf } from './own-failure.ts'
import { retryDelayMs } from './retry-plan.ts'

/** A call that is ready to be sent. */
export interface PreparedCall {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  /** Sent as JSON unless undefined or a FormBody. */
  readonly body: unknown
  /** The body of a success is not read here. */
  readonly isFile: boolean
  readonly isRepeatable: boolean
  /** The call deletes a resource and returns no data: a retry that finds nothing has succeeded. */
  readonly isRemoval: boolean
  readonly limits: Limits
  readonly signal: AbortSignal | undefined
  /** Undefined for a call that must not carry a credential. */
  readonly credentials: Credentials | undefined
  readonly fetch: Fetch
  readonly observers: Pick<CrmOptions, 'onRequest' | 'onResponse' | 'logger'>
}

/**
 * Sends a call until it succeeds or must not be retried. Every error is a CrmError with its attempts. ky repeats and
 * waits; this file decides what an attempt is and when to repeat it.
 */
export async function sendCall(call: PreparedCall): Promise<ReadResponse> {
  const { signal: callerSignal, limits } = call
  const controller = new FollowingController(callerSignal, ({ reason }) => new AbortedError(reason))
  const { deadlineMs } = limits
  if (deadlineMs !== undefined)
    controller.abortAfter(deadlineMs, () => new TimeoutError('deadline', deadlineMs))
  const sending = new Sending(call, controller.signal)
  try {
    return await orAborted(sending.run(), controller.signal)
  } catch (error) {
    const failure =
      error instanceof CrmError ? error : new CrmError('The request cannot be made', { cause: error })
    failure.attempts = sending.attempts
    throw failure
  } finally {
    controller.release()
  }
}

/** One call under way. */
class Sending {
  readonly attempts: AttemptRecord[] = []
  readonly #call: PreparedCall
  readonly #signal: AbortSignal
  readonly #startedAt = performance.now()
  #token: string | undefined
  #mayRenew: boolean
  #isRenewing = false
  #delayMs = 0
  #result: ReadResponse | undefined
  /** Stays outside of ky, which keeps a copy of each body for the next attempt. */
  readonly #form: FormBody | undefined

  constructor(call: PreparedCall, signal: AbortSignal) {
    this.#call = call
    this.#signal = signal
    this.#form = isFormBody(call.body) ? call.body : undefined
    this.#mayRenew = call.credentials?.renew !== undefined && this.#canRepeat()
  }

  /** Whether the body is still there after it was sent. */
  #canRepeat(): boolean {
    return this.#form?.isRepeatable ?? true
  }

  async run(): Promise<ReadResponse> {
    const { method, url, headers, body, limits, credentials } = this.#call
    this.#signal.throwIfAborted()
    this.#token = await credentials?.token().catch(rethrowAsOwn)
    if (this.#form) headers.set('content-type', this.#form.type)
    await ky(url, {
      method,
      headers,
      // A followed redirect would turn a POST into a GET, and could carry the credential to another host.
      redirect: 'manual',
      signal: this.#signal,
      timeout: false,
      throwHttpErrors: false,
      fetch: async (request) => (await this.#attempt(request as Request)).response,
      retry: {
        limit: this.#canRepeat() ? limits.maxRetries : 0,
        methods: [method],
        shouldRetry: ({ error }) => this.#plan(error),
        delay: () => this.#delayMs,
      },
      ...(!this.#form && body !== undefined && { json: body }),
    })
    if (this.#result === undefined) throw new CrmError('The request got no response')
    return this.#result
  }

  async #attempt(request: Request): Promise<ReadResponse> {
    // The copy is for one retry with a renewed credential: a body can be sent only once.
    const copy = this.#mayRenew ? request.clone() : undefined
    try {
      return await this.#send(request)
    } catch (error) {
      const { credentials } = this.#call
      if (!copy || !credentials?.renew || !(error instanceof AuthenticationError)) throw error
      this.#mayRenew = false
      this.#isRenewing = true
      await credentials.renew(this.#token).catch(rethrowAsOwn)
      this.#token = await credentials.token().catch(rethrowAsOwn)
      this.#isRenewing = false
      return this.#send(copy)
    }
  }

  async #send(request: Request): Promise<ReadResponse> {
    const { fetch, limits, isFile } = this.#call
    if (this.#token !== undefined) request.headers.set('authorization', `Bearer ${this.#token}`)
    const { method, url, headers } = request
    await this.#call.observers.onRequest?.({ method, url, headers })
    const startedAt = performance.now()
    const ended = (error?: unknown) => this.#observe(performance.now() - startedAt, error)
    try {
      this.#result = await attempt(request, {
        fetch,
        form: this.#form,
        isFile,
        timeoutMs: limits.timeoutMs,
        signal: this.#signal,
      })
      const { response, text } = this.#result
      if (!response.ok) throw apiErrorOf(response, text)
      ended()
      return this.#result
    } catch (error) {
      ended(error)
      if (error instanceof NotFoundError && this.#result && this.#isRemovedAlready()) return this.#result
      this.#record(error)
      throw error
    }
  }

  /** Reports an attempt that has ended to the options' observers. */
  #observe(elapsedMs: number, thrown: unknown): void {
    const { method, url, observers } = this.#call
    const error = thrown instanceof CrmError ? thrown : undefined
    const response = error === undefined ? this.#result?.response : undefined
    const status = error instanceof ApiError ? error.status : response?.status
    const requestId =
      error instanceof ApiError ? error.requestId : (response?.headers.get('x-request-id') ?? undefined)
    const ms = Math.round(elapsedMs)
    const attemptNumber = this.attempts.length + 1
    observers.onResponse?.({ method, url, attempt: attemptNumber, ms, status, requestId, error })
    const path = url.split('?')[0]
    observers.logger?.debug(`${method} ${path} ${status ?? error?.name} ${ms} ms [request ${requestId}]`)
  }

  /** Whether a DELETE gets 404 because an earlier attempt, whose response was lost, completed it. */
  #isRemovedAlready(): boolean {
    const isUncertain = ({ status = 500 }: AttemptRecord) => status >= 500 || status === 408
    return this.#call.isRemoval && this.attempts.some(isUncertain)
  }

  #record(error: unknown): void {
    const endedAfterMs = Math.round(performance.now() - this.#startedAt)
    if (error instanceof ApiError) {
      this.attempts.push({ status: error.status, outcome: error.code, endedAfterMs })
    } else {
      const outcome = error instanceof CrmError ? error.name.replace('Error', '').toUpperCase() : 'UNKNOWN'
      this.attempts.push({ outcome, endedAfterMs })
    }
  }

  /** Whether another attempt follows. It never waits beyond the deadline: the current error is more useful than a timeout. */
  #plan(error: unknown): boolean {
    const { isRepeatable, limits } = this.#call
    // The calls that renew a credential have their own retries.
    if (this.#isRenewing) return false
    const delayMs = retryDelayMs(error, { count: this.attempts.length, isRepeatable })
    if (delayMs === undefined) return false
    const { deadlineMs = Number.POSITIVE_INFINITY } = limits
    if (performance.now() - this.#startedAt + delayMs >= deadlineMs) return false
    this.#delayMs = delayMs
    return true
  }
}

function rethrowAsOwn(error: unknown): never {
  throw ownFailureOf(error)
}
