import type { Route } from '../core/route.ts'
import { routes } from '../resources/routes.gen.ts'
import {
  askedFor,
  besideData,
  listWithout,
  type Replies,
  sampleReplies,
  successStatus,
} from './sample-replies.gen.ts'

/** One call as the fake service sees it. */
export interface FakeCall {
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The parsed JSON, or a form; undefined when there is none. */
  readonly body: unknown
  readonly request: Request
}

type FakeReply<Id extends keyof Replies> =
  | Replies[Id]
  | ((call: FakeCall) => Replies[Id] | Response | Promise<Replies[Id] | Response>)

/**
 * The replies of operations by their id: data (for a list its rows), or a function of the call that returns data or a
 * `Response` such as `makeFailure(404)`. Every other operation returns a sample.
 */
export type FakeReplies = { readonly [Id in keyof Replies]?: FakeReply<Id> | undefined }

/** The HTTP response of one operation, in the envelope that the service uses for it. Use it in mocks other than msw. */
export async function respondToOperation<Id extends keyof Replies>(
  id: Id,
  call: FakeCall,
  replies: FakeReplies,
): Promise<Response> {
  const given: FakeReply<Id> = replies[id] ?? sampleReplies[id]
  const data = typeof given === 'function' ? await given(call) : given
  if (data instanceof Response) return data
  const status = successStatus[id] ?? 200
  const shown = isListed(id, call) ? [data].flat() : data
  return jsonResponse(
    { ...envelopeOf(routes[id], shown), ...besideData[id], ...askedOf(id, call) },
    { status },
  )
}

/** Whether a form lacks the text without which its reply is a list. */
function isListed(id: keyof Replies, { body }: FakeCall): boolean {
  const text = listWithout[id]
  return text !== undefined && body instanceof FormData && !body.has(text)
}

/** Returns the members that a field of the body asks for, or the words of a field of the query. */
function askedOf(id: keyof Replies, { query, body }: FakeCall): object {
  const { asks, make } = askedFor[id] ?? {}
  if (asks === undefined || make === undefined) return {}
  if (typeof body === 'object' && body !== null) return asks in body ? make() : {}
  const words = query.getAll(asks).flatMap((text) => text.split(','))
  if (words.length === 0) return {}
  const pick = (parts: object) => Object.fromEntries(words.map((word) => [word, Reflect.get(parts, word)]))
  return Object.fromEntries(Object.entries(make()).map(([name, parts]) => [name, pick(parts)]))
}

/** The parts of an error response of the service. */
export interface FailureParts {
  /** Default: the code that goes with the status. */
  readonly code?: string | undefined
  /** Message for people. */
  readonly error?: string | undefined
  readonly details?: unknown
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

const usualCodes: Readonly<Record<number, string>> = {
  401: 'AUTH_REQUIRED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'GONE',
  422: 'VALIDATION_ERROR',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
}

/** A refusal of the service. */
export function makeFailure(status: number, parts: FailureParts = {}): Response {
  const { code = usualCodes[status] ?? `HTTP_${status}`, error = `Refused with ${code}`, details } = parts
  const requestId = 'req_test0000'
  const headers: Record<string, string> = { 'x-request-id': requestId }
  if (parts.retryAfter !== undefined) headers['retry-after'] = String(parts.retryAfter)
  const envelope = { success: false, error, code, requestId, ...(details !== undefined && { details }) }
  return jsonResponse(envelope, { status, headers })
}

/**
 * A `fetch` that needs no network: give it to the client.
 *
 * ```ts
 * const fetch = fakeFetch({ 'customers.get': ({ params }) => makeCustomerDetails({ _id: params.id }) })
 * const crm = new Crm({ baseUrl: 'https://crm.test', apiKey: 'sk_test_x', fetch })
 * ```
 */
export function fakeFetch(
  replies: FakeReplies = {},
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    for (const { id, method, pattern } of matchers) {
      const found = request.method === method ? pattern.exec(url.pathname) : null
      if (found) return respondToOperation(id, await callOf(request, decoded(found.groups)), replies)
    }
    return makeFailure(404, { error: `No operation is at ${request.method} ${url.pathname}` })
  }
}

/** Reads a request whose path has been matched; the request itself stays unread. */
export async function callOf(request: Request, params: Readonly<Record<string, string>>): Promise<FakeCall> {
  const query = new URL(request.url).searchParams
  const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data')
  if (isForm) return { params, query, body: await request.clone().formData(), request }
  const text = await request.clone().text()
  return { params, query, body: text === '' ? undefined : JSON.parse(text), request }
}

/** Every operation; where a fixed path and one with a parameter fit both, the fixed one comes first. */
export const fakeRoutes = (Object.entries(routes) as [keyof Replies, Route][])
  .filter(([id]) => id in sampleReplies)
  .map(([id, { method, path }]) => ({ id, method, path }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

const matchers = fakeRoutes.map(({ id, method, path }) => ({
  id,
  method,
  // bounded: built of the paths of this package, for a test.
  pattern: new RegExp(`${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

function decoded(groups: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  )
}

function envelopeOf(route: Route, data: unknown): object {
  if (route.isMessage) return Object(data)
  if (!(route.isList || route.isLog) || !Array.isArray(data)) return { success: true, data }
  if (route.isLog) return { success: true, data, pagination: { limit: 100, nextCursor: 'end' } }
  const totals = { total: data.length, page: 1, limit: 100, totalPages: 1, totalIsEstimate: false }
  const pagination = { ...totals, nextCursor: null }
  return route.rows === undefined
    ? { success: true, data, pagination }
    : { success: true, data: { [route.rows]: data, ...pagination } }
}

function jsonResponse(
  body: unknown,
  { status, headers }: { status: number; headers?: Readonly<Record<string, string>> },
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}
