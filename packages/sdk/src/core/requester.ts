import { AuthResource } from '../resources/auth.gen.ts'
import { isRecord, parseJson, unreadableResponse } from './api-error-of.ts'
import { ApiPromise, type WithResponse } from './api-promise.ts'
import type { Fetch, ReadResponse } from './attempt.ts'
import type { CallOptions, ReplyOptions, UploadOptions } from './call-options.ts'
import { type Credentials, fixedCredentials } from './credentials.ts'
import { type CrmOptions, limitsOf, type OwnOptions, withEnvironment } from './crm-options.ts'
import { CrmError } from './errors.ts'
import {
  EventStream,
  type LiveEvent,
  type LogEvent,
  logEventOf,
  type OpenStream,
  type StreamedEvent,
  type StreamOptions,
} from './event-stream.ts'
import { formBody } from './form-body.ts'
import { type FetchLogPage, type LogPage, LogPromise } from './log-promise.ts'
import { callerStack, named } from './name-failure.ts'
import { openStream } from './open-stream.ts'
import { type FetchPage, type Page, PagePromise } from './page-promise.ts'
import { fillPath, parseBaseUrl, queryText } from './request-url.ts'
import type { CallInput, Route } from './route.ts'
import { sendCall } from './send-call.ts'
import { sessionCredentials } from './session-credentials.ts'

/** Turns operations into requests, and responses into their results. */
export class Requester {
  readonly #options: CrmOptions
  readonly #baseUrl: string
  #credentials: Credentials
  // Looked up at each attempt, so that a later replacement (by an interceptor) takes effect.
  readonly #fetch: Fetch = (url, init) => (this.#options.fetch ?? globalThis.fetch)(url, init)

  constructor(given: CrmOptions) {
    const options = withEnvironment(given)
    const { apiKey, accessToken, session } = options
    if ([apiKey, accessToken, session].filter((given) => given !== undefined).length > 1) {
      throw new CrmError('Give one of apiKey, accessToken and session, not several')
    }
    this.#options = options
    this.#baseUrl = parseBaseUrl(options.baseUrl)
    limitsOf(options)
    this.#credentials = session
      ? sessionCredentials(session, {
          login: (body) => new AuthResource(this).login(body),
          refresh: (refreshToken) => new AuthResource(this).refresh({ refreshToken }),
        })
      : fixedCredentials(apiKey ?? accessToken)
  }

  /** A requester with other options and the same credential. */
  withOptions(options: OwnOptions): Requester {
    const made = new Requester({ ...this.#options, ...options, baseUrl: this.#baseUrl })
    made.#credentials = this.#credentials
    return made
  }

  /** One operation. `T` is the type of its result. */
  call<T>(route: Route, input: CallInput, options: CallOptions = {}): ApiPromise<T> {
    const stack = callerStack(this.call)
    return new ApiPromise(this.#named(route, input, stack, () => this.#resultOf<T>(route, input, options)))
  }

  /** A list operation. `T` is one row. */
  list<T>(route: Route, input: CallInput, options: CallOptions = {}): PagePromise<T> {
    const stack = callerStack(this.list)
    const fetchPage: FetchPage<T> = async ({ cursor, isWalk, limitMax }) => {
      const query: Record<string, unknown> = { ...input.query }
      if (isWalk && route.canSort) query['sort'] ??= 'createdAt'
      if (limitMax !== undefined) query['limit'] ??= limitMax
      if (cursor !== undefined) {
        query['cursor'] = cursor
        delete query['page']
      }
      const { response, text } = await this.#send(route, { ...input, query }, options)
      const page = pageOf<T>(parseJson(text), route.rows)
      if (page === undefined) throw unreadableResponse(response, text)
      return { data: page, response }
    }
    return new PagePromise<T>((asked) => this.#named(route, input, stack, () => fetchPage(asked)))
  }

  /** The event log. */
  log(route: Route, input: CallInput, options: CallOptions = {}): LogPromise<LogEvent> {
    const stack = callerStack(this.log)
    const fetchPage: FetchLogPage<LogEvent> = async ({ after, isWalk }) => {
      const query: Record<string, unknown> = { ...input.query }
      if (isWalk) query['limit'] ??= 100
      if (after !== undefined) query['after'] = after
      const { response, text } = await this.#send(route, { ...input, query }, options)
      const page = logPageOf(parseJson(text))
      if (page === undefined) throw unreadableResponse(response, text)
      return { data: page, response }
    }
    return new LogPromise((asked) => this.#named(route, input, stack, () => fetchPage(asked)))
  }

  /** A file. The caller reads it. */
  download(route: Route, input: CallInput, options: CallOptions = {}): Promise<Response> {
    const stack = callerStack(this.download)
    return this.#named(route, input, stack, () => this.#download(route, input, options))
  }

  async #download(route: Route, input: CallInput, options: CallOptions): Promise<Response> {
    const { response } = await this.#send({ ...route, isFile: true }, input, options)
    const { signal } = options
    if (signal === undefined || response.body === null) return response
    // The call ends with the headers; the caller's signal must also end the body.
    return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response)
  }

  /** A stream of server-sent events. */
  stream<Event extends StreamedEvent | LiveEvent>(
    route: Route,
    input: CallInput,
    options: StreamOptions = {},
  ): EventStream<Event> {
    const url = this.#baseUrl + fillPath(route.path, input.params) + queryText(input.query)
    const headers = this.#headersOf(options, false)
    const open: OpenStream = (from) =>
      openStream({ url, headers, credentials: this.#credentials, fetch: this.#fetch, ...from })
    const { live } = { live: false, ...input.query }
    return new EventStream(open, options, live)
  }

  /** Any request, for paths that have no method here. Returns the whole parsed body. */
  raw<T>(
    { method, path }: Pick<Route, 'method' | 'path'>,
    input: CallInput,
    options: CallOptions = {},
  ): ApiPromise<T> {
    const route: Route = { method, path, isRepeatable: !/^\/api\/(v1\/)?auth\//.test(path) }
    const stack = callerStack(this.raw)
    return new ApiPromise(this.#named(route, input, stack, () => this.#rawResultOf<T>(route, input, options)))
  }

  async #rawResultOf<T>(route: Route, input: CallInput, options: CallOptions): Promise<WithResponse<T>> {
    if (!route.path.startsWith('/')) throw new CrmError('The path must start with /')
    const { response, text } = await this.#send(route, input, options)
    return { data: (parseJson(text) ?? (text === '' ? undefined : text)) as T, response }
  }

  async #resultOf<T>(route: Route, input: CallInput, options: CallOptions): Promise<WithResponse<T>> {
    const { response, text } = await this.#send(route, input, options)
    const body = parseJson(text)
    if (!response.ok) return { data: removedAlready as T, response }
    if (!isRecord(body) || !(route.isMessage || 'data' in body)) throw unreadableResponse(response, text)
    return { data: (route.isMessage ? body : body['data']) as T, response }
  }

  /** Runs the work of a call, whose errors name the call. */
  #named<T>(
    { method, path }: Pick<Route, 'method' | 'path'>,
    { params = [] }: CallInput,
    stack: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    let index = 0
    const filled = path.replace(/\{\w+\}/g, (name) => params[index++] || name)
    return named({ method, path: filled }, stack, work)
  }

  async #send(route: Route, input: CallInput, options: UploadOptions): Promise<ReadResponse> {
    const { method, isRepeatable = true, isFile = false } = route
    return sendCall({
      method,
      url: this.#baseUrl + fillPath(route.path, input.params) + queryText(input.query),
      headers: this.#headersOf(options, method === 'POST' && isRepeatable),
      body: input.file ? await formBody(input.file, options.filename, input.body) : input.body,
      isFile,
      isRepeatable,
      isRemoval: method === 'DELETE' && route.isMessage === true,
      limits: limitsOf(options, this.#options),
      signal: options.signal,
      credentials: route.isPublic ? undefined : this.#credentials,
      fetch: this.#fetch,
      observers: this.#options,
    })
  }

  #headersOf(options: ReplyOptions, hasKey: boolean): Headers {
    const headers = new Headers({ accept: 'application/json' })
    // A browser forbids `user-agent`, and needs a CORS preflight for every further header.
    if (!('document' in globalThis)) headers.set('user-agent', 'crmkit-sdk')
    const own = {
      ...(hasKey && { 'idempotency-key': options.idempotencyKey ?? randomKey() }),
      ...(options.ifSeq !== undefined && { 'if-conversation-seq': `${options.ifSeq}` }),
      ...(options.force && { force: 'true' }),
    }
    for (const [name, value] of Object.entries({ ...own, ...this.#options.headers, ...options.headers })) {
      try {
        headers.set(name, value)
      } catch {
        // The platform's message would repeat the value.
        throw new CrmError('A header has a name or a value that cannot be sent')
      }
    }
    return headers
  }
}

/** The result of a DELETE that an earlier attempt of the same call completed. */
const removedAlready = { success: true, message: 'Deleted by an earlier attempt of this call' }

// randomUUID is missing on plain-http pages; this is not.
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function pageOf<T>(body: unknown, rows: string | undefined): Page<T> | undefined {
  if (!isRecord(body)) return undefined
  const { data } = body
  const totals = rows === undefined ? body['pagination'] : data
  const list = rows === undefined ? data : isRecord(data) && data[rows]
  if (!isRecord(totals) || !Array.isArray(list)) return undefined
  const { total, totalIsEstimate, page, limit, totalPages, nextCursor } = totals as Omit<
    Page<T>,
    'data' | 'hasMore'
  >
  return {
    data: list,
    total,
    totalIsEstimate,
    page,
    limit,
    totalPages,
    nextCursor,
    hasMore: nextCursor !== null,
  }
}

function logPageOf(body: unknown): LogPage<LogEvent> | undefined {
  if (!isRecord(body) || !isRecord(body['pagination']) || !Array.isArray(body['data'])) return undefined
  const data = body['data'].map((event) => logEventOf(event))
  const { limit, nextCursor } = body['pagination'] as { limit: number; nextCursor: string }
  return { data, limit, nextCursor, hasMore: data.length >= limit }
}
