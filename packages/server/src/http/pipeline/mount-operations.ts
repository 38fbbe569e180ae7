import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnyOperation, Failure, isAdmittedOnFullDisk, notFound, type Operation } from '@crmkit/core'
import { bodyChecks } from '../../features/body-checks.ts'
import type { LimitState } from '../../ports/rate-limiter.ts'
import { isoTime } from '../../shared/clock.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import type { Authenticated } from '../credentials/authenticate.ts'
import { authorize } from '../credentials/authorize.ts'
import { clientAddress } from '../credentials/client-address.ts'
import { allowPage, assertOrigin, isWidgetPath, widgetPreflight } from '../credentials/widget-origins.ts'
import { parseInput } from '../request/parse-input.ts'
import { readBody } from '../request/read-body.ts'
import { cacheReply } from '../response/cache-reply.ts'
import type { Cors } from '../response/cors.ts'
import { replyToError } from '../response/handle-error.ts'
import { type Reply, sendReply } from '../response/send-reply.ts'
import type { ApiParts } from './api-parts.ts'
import {
  fieldsOf,
  type Incoming,
  methodOf,
  noteAborted,
  noteFinished,
  noteWhenClosed,
  recordOutcome,
} from './incoming.ts'
import { type RequestLimits, tooManyRequests } from './rate-limit.ts'
import { createRouteTable, type RouteMatch } from './route-table.ts'
import { type ParsedRequest, runHandler } from './run-handler.ts'
import { aboutOf, mayReplyAtLength, mountPathOf, startOf } from './start-response.ts'
import { findWidgetRequest } from './widget-request.ts'

export type ApiHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/

/**
 * Serves every declared operation. One function for the whole API, with its own route table: a framework
 * that tries its routes one by one costs half of the throughput.
 */
export function mountOperations(parts: ApiParts): ApiHandler {
  const match = createRouteTable(parts.operations)
  return async (req, res) => {
    const { path, search } = splitUrl(req.url ?? '/')
    const requestId = requestIdOf(req)
    const route = match(path)
    const incoming: Incoming = { req, res, route, search, requestId, limit: undefined, caller: undefined }
    const startedAt = performance.now()
    const isOfPages = isWidgetPath(route?.path)
    if (isOfPages) allowPage(incoming)
    else allowOrigin(parts.cors, incoming)
    let reply: Reply | undefined
    try {
      const preflight = isOfPages ? widgetPreflight(req) : parts.cors.preflight(req)
      reply = preflight ?? (await handleForCaller(parts, incoming))
    } catch (error) {
      if (isAborted(req)) {
        recordOutcome(parts, incoming, { reply: undefined, startedAt })
        noteAborted(parts, incoming)
        return
      }
      if (error instanceof StorageUnavailable) parts.disk.noteFailure()
      reply = replyToError(error, { ...parts, request: fieldsOf(incoming) })
    }
    recordOutcome(parts, incoming, { reply, startedAt })
    if (reply === undefined) noteWhenClosed(parts, incoming, startedAt)
    else {
      sendReply(res, reply, aboutOf(incoming))
      noteFinished(parts, incoming, { status: reply.status, startedAt })
    }
  }
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()
}

/** Returns the path without a slash at its end, and everything behind the `?`. */
function splitUrl(url: string): { path: string; search: string } {
  const questionMark = url.indexOf('?')
  const path = questionMark < 0 ? url : url.slice(0, questionMark)
  const search = questionMark < 0 ? '' : url.slice(questionMark + 1)
  return { path: path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path, search }
}

/** No reply reaches a client that is not there, and the failure is not the server's. */
function isAborted(req: IncomingMessage): boolean {
  return req.destroyed && !req.complete
}

function allowOrigin(cors: Cors, { req, res }: Incoming): void {
  const headers = cors.headersFor(req)
  if (headers === undefined) return
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}

/** Lets work in the background wait for a caller, unless the request may take as long as its caller likes. */
function handleForCaller(parts: ApiParts, incoming: Incoming): Promise<Reply | undefined> {
  const operation = incoming.route?.operations.get(methodOf(incoming.req))
  const isShort = operation !== undefined && !('upload' in operation) && startOf(operation) === undefined
  return isShort ? parts.callers.during(() => handle(parts, incoming)) : handle(parts, incoming)
}

/**
 * The order of checks is that of contract 2: version, route, credential, limit, permission, body, validation, then the
 * work. Returns undefined when the response is not one reply.
 */
async function handle(parts: ApiParts, incoming: Incoming): Promise<Reply | undefined> {
  const { req, route, search, requestId } = incoming
  const address = clientAddress(req, parts.trustProxyHops)
  let operation: AnyOperation
  let caller: Authenticated | undefined
  try {
    assertVersion(req)
    operation = operationOf(route, req)
    const authenticated = operation.auth.kind === 'none' ? undefined : parts.authenticator.authenticate(req)
    // The value is mostly cached: an `await` would cost every request an event-loop tick.
    caller = authenticated instanceof Promise ? await authenticated : authenticated
    incoming.caller = caller
  } catch (error) {
    // A refusal before a credential is accepted counts against the address.
    if (error instanceof Failure) await count(incoming, parts.limits.takeAnonymous(address))
    throw error
  }
  if (caller !== undefined) parts.usage.record(caller, operation)
  const counted = countRequest(parts, incoming, { operation, caller, address })
  if (counted !== undefined) await counted
  if (caller !== undefined) {
    authorize(operation.auth, caller.actor, address)
    assertPage(parts, incoming, caller)
    parts.keyUses.record(caller)
  }
  assertDiskHasSpace(parts, operation)
  if (caller !== undefined && isList(operation) && !(await mayList(incoming, caller))) return undefined
  assertConnected(req)
  const body = hasJsonBody(operation) ? await readBody(req, operation.auth.kind === 'none') : {}
  const raw = { params: route?.params ?? {}, search, body, headers: req.headers }
  const input = parseInput(operation, raw, bodyCheckOf(parts, operation))
  const start = startOf(operation)
  if (caller !== undefined && start !== undefined) {
    return start(parts, incoming, { operation, caller, address, input })
  }
  const widget = await findWidgetRequest(parts, incoming, { operation, input })
  const idempotencyKey = req.headers['idempotency-key']
  const path = route?.path ?? ''
  const mountPath = mountPathOf(parts, req)
  const request = {
    operation,
    caller,
    address,
    input,
    path,
    mountPath,
    serviceUrl: originOf(parts, req) + mountPath,
    requestId,
    idempotencyKey,
    widget,
  }
  return cacheReply(await run(parts, req, request), req, operation)
}

/** Throws PERMISSION_DENIED when the page of a visitor is of an origin that the inbox does not allow. */
function assertPage(parts: ApiParts, incoming: Incoming, { actor }: Authenticated): void {
  if (actor.type === 'visitor') assertOrigin(parts, incoming, actor.inbox)
}

/** The configured origin, or the address at which the connection arrived: a header of the request could name any other one. */
function originOf({ ownOrigin }: ApiParts, { socket }: IncomingMessage): string {
  if (ownOrigin !== undefined) return ownOrigin
  const { localAddress, localPort } = socket
  if (localAddress === undefined || localPort === undefined) return 'http://localhost'
  const address = localAddress.replace(/^::ffff:/, '')
  const host = address.includes(':') ? `[${address}]` : address
  return `${'encrypted' in socket ? 'https' : 'http'}://${host}:${localPort}`
}

function run(parts: ApiParts, req: IncomingMessage, request: ParsedRequest): Promise<Reply> {
  const { upload }: Operation = request.operation
  return upload === undefined ? runHandler(parts, request) : runUpload(parts, req, { ...request, upload })
}

function hasJsonBody({ method, upload }: Operation): boolean {
  return method !== 'GET' && upload === undefined
}

/** Waits until the list may be made; returns false when the client has disconnected meanwhile. */
async function mayList({ req, res }: Incoming, { tenantId }: Authenticated): Promise<boolean> {
  await mayReplyAtLength(res, tenantId)
  return !req.socket.destroyed
}

function bodyCheckOf({ clock, services }: ApiParts, operation: AnyOperation) {
  const check = bodyChecks[operation.id]
  if (check === undefined) return undefined
  return (fields: Record<string, unknown>) => check({ now: isoTime(clock.nowMs()), services }, fields)
}

/** The file is stored before the handler runs, and removed again unless its change was made. */
async function runUpload(
  parts: ApiParts,
  req: IncomingMessage,
  { upload, ...request }: ParsedRequest & { upload: NonNullable<Operation['upload']> },
): Promise<Reply> {
  const { caller } = request
  if (caller === undefined) throw new Error(`${request.operation.id} has no caller`)
  const { file, fields, release } = await parts.uploads.receive(req, { tenant: caller, ...upload })
  const { _id, ...fingerprint } = file
  try {
    return await runHandler(parts, {
      ...request,
      input: { ...request.input, body: { ...file, fields } as never },
      fingerprint: { ...fingerprint, ...fields },
    })
  } finally {
    await release()
  }
}

/** Its pages have no bound but the number of their rows. */
function isList({ request }: Operation): boolean {
  return request?.query !== undefined && 'limit' in request.query.shape
}

interface CountedRequest {
  operation: AnyOperation
  caller: Authenticated | undefined
  address: string
}

/** Throws RATE_LIMIT_EXCEEDED. Returns a promise only when the counters are in another process. */
function countRequest(
  { limits }: ApiParts,
  incoming: Incoming,
  { operation, caller, address }: CountedRequest,
): Promise<void> | undefined {
  const taken =
    caller === undefined
      ? limits.takeAnonymous(address, operation)
      : limits.take(caller, operation, incoming.route?.params['id'])
  if (taken instanceof Promise) return count(incoming, taken)
  assertWithin(incoming, taken)
  return undefined
}

async function count(incoming: Incoming, taken: ReturnType<RequestLimits['take']>): Promise<void> {
  assertWithin(incoming, await taken)
}

/** Throws RATE_LIMIT_EXCEEDED. */
function assertWithin(incoming: Incoming, state: LimitState | undefined): void {
  incoming.limit = state
  if (state?.isRefused) throw tooManyRequests(state)
}

function assertVersion(req: IncomingMessage): void {
  const version = req.headers['x-api-version']
  if (version !== undefined && version !== 'v1') {
    throw new Failure('UNSUPPORTED_VERSION', 'The only version of this API is v1')
  }
}

/** Throws SERVICE_UNAVAILABLE for an operation that has to wait until the disk has space. */
function assertDiskHasSpace({ disk }: ApiParts, operation: Operation): void {
  if (!disk.isFull() || isAdmittedOnFullDisk(operation)) return
  const message = 'The disk of the service is full: only reads, deletions and sign-ins are possible'
  throw new Failure('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '1' } })
}

/** Throws for a client that hung up while its credential was read: nothing reports again that its body ends early. */
function assertConnected(req: IncomingMessage): void {
  if (isAborted(req)) throw new Failure('INVALID_JSON', 'The body ended early')
}

function operationOf(route: RouteMatch | undefined, req: IncomingMessage) {
  if (route === undefined) throw notFound()
  const operation = route.operations.get(methodOf(req))
  if (operation === undefined) {
    const allowed = [...route.operations.keys()].join(', ')
    throw new Failure('METHOD_NOT_ALLOWED', `This path takes ${allowed}`, { headers: { Allow: allowed } })
  }
  return operation
}
