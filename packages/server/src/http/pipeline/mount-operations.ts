import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnyOperation, Failure, type InputOf, notFound, type Operation } from '@crmkit/core'
import { isBudget, refuse, unavailable } from '../../fairness/budgets.ts'
import type { LimitState } from '../../ports/rate-limiter.ts'
import { isoTime } from '../../shared/clock.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import { createAccess } from '../credentials/access.ts'
import { authorize } from '../credentials/authorize.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import { parseInput } from '../request/parse-input.ts'
import { readBody } from '../request/read-body.ts'
import { cacheReply } from '../response/cache-reply.ts'
import { replyToError } from '../response/handle-error.ts'
import { packReply } from '../response/pack-reply.ts'
import { packedLengthMin, type Reply, type SentReply, sendReply } from '../response/send-reply.ts'
import type { ApiParts } from './api-parts.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { Incoming, methodOf, mountPathOf, noteAborted, noteReply, noteWhenClosed } from './incoming.ts'
import { spaceUsedUp, tooManyRequests } from './rate-limit.ts'
import { createRouteTable, type RouteMatch } from './route-table.ts'
import { type ParsedRequest, runHandler } from './run-handler.ts'
import { mayReplyAtLength } from './start-response.ts'

export type ApiHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/

/**
 * Serves every declared operation. One function for the whole API, with its own route table: a framework
 * that tries its routes one by one costs half of the throughput.
 */
export function mountOperations(parts: ApiParts): ApiHandler {
  const { trustedProxies, callers } = parts
  const accessOf = createAccess(parts)
  const match = createRouteTable(
    parts.operations.map((operation) => endpointOf(operation, accessOf(operation))),
  )
  const accessOfUnknown = accessOf(undefined)
  return async (req, res) => {
    const { path, search } = splitUrl(req.url ?? '/')
    const route = match(path)
    const endpoint = route?.endpoints.get(methodOf(req))
    const incoming = new Incoming({
      req,
      res,
      route,
      endpoint,
      search,
      requestId: requestIdOf(req),
      trustedProxies,
    })
    const access = route?.access ?? accessOfUnknown
    access.allowOrigin?.(incoming)
    if (endpoint?.isShort) callers.enter()
    try {
      const reply = access.preflight?.(req) ?? (await handle(parts, incoming))
      const sent = reply && packed(incoming, reply)
      end(parts, incoming, sent instanceof Promise ? await sent : sent)
    } catch (error) {
      endFailed(parts, incoming, error)
    } finally {
      if (endpoint?.isShort) callers.leave()
    }
  }
}

function packed(incoming: Incoming, reply: Reply): SentReply | Promise<SentReply> {
  const mayPack = reply.body.length >= packedLengthMin && incoming.endpoint?.mayPack
  return mayPack ? packReply(incoming, reply) : reply
}

function end(parts: ApiParts, incoming: Incoming, reply: SentReply | undefined): void {
  if (reply === undefined) {
    noteWhenClosed(parts, incoming)
    return
  }
  sendReply(incoming.res, reply, incoming)
  noteReply(parts, incoming, reply)
}

function endFailed(parts: ApiParts, incoming: Incoming, error: unknown): void {
  if (isAborted(incoming.req)) {
    noteAborted(parts, incoming)
    return
  }
  if (error instanceof StorageUnavailable) parts.disk.noteFailure()
  const { log, meters } = parts
  end(parts, incoming, replyToError(error, { log, meters, request: incoming.fields }))
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

/**
 * The order of checks is that of contract 2: version, route, credential, limit, permission, body, validation, then the
 * work. Returns undefined when the response is not one reply.
 */
async function handle(parts: ApiParts, incoming: Incoming): Promise<Reply | undefined> {
  // Some operations would succeed without the storage.
  if (parts.upgrade.found) throw parts.upgrade.found
  const { req } = incoming
  let endpoint: Endpoint
  let caller: Authenticated | undefined
  try {
    assertVersion(req)
    endpoint = incoming.endpoint ?? refuseRoute(incoming.route)
    const authenticated = endpoint.access.authenticate?.(req)
    // The value is mostly cached: an `await` would cost every request an event-loop tick.
    caller = authenticated instanceof Promise ? await authenticated : authenticated
    incoming.caller = caller
  } catch (error) {
    // A refusal before a credential is accepted counts against the address.
    if (error instanceof Failure)
      assertWithin(parts, incoming, await parts.limits.takeAnonymous(incoming.address))
    throw error
  }
  const { operation, access } = endpoint
  const taken = access.take(incoming, operation, caller)
  assertWithin(parts, incoming, taken instanceof Promise ? await taken : taken)
  if (caller !== undefined) admit(incoming, endpoint, caller)
  if (endpoint.waitsForDisk) assertDiskHasSpace(parts, endpoint)
  if (caller !== undefined && hasPages(incoming, endpoint) && !(await mayList(incoming, caller)))
    return undefined
  assertConnected(req)
  const body = endpoint.hasJsonBody ? await readBody(req, operation.auth.kind === 'none') : {}
  return respond(parts, incoming, { endpoint, caller, body })
}

interface Admitted {
  endpoint: Endpoint
  caller: Authenticated | undefined
  body: Record<string, unknown>
}

/** Validates the request, and does the work. */
async function respond(
  parts: ApiParts,
  incoming: Incoming,
  { endpoint, caller, body }: Admitted,
): Promise<Reply | undefined> {
  const { req } = incoming
  const { operation, access, start } = endpoint
  const input = inputOf(parts, incoming, { endpoint, body })
  if (caller !== undefined && start !== undefined) return start(parts, incoming, { operation, caller, input })
  const mountPath = mountPathOf(parts, req)
  const request: ParsedRequest = {
    endpoint,
    caller,
    incoming,
    input,
    path: incoming.route?.path ?? '',
    mountPath,
    serviceUrl: originOf(parts, req) + mountPath,
    widget: access.findContext && (await access.findContext(incoming, input)),
  }
  const { upload, cacheSeconds }: Operation = operation
  const reply = await (upload === undefined
    ? runHandler(parts, request)
    : runUpload(parts, req, { ...request, upload }))
  return cacheSeconds === undefined ? reply : cacheReply(reply, req, cacheSeconds)
}

/** Throws PERMISSION_DENIED. */
function admit(incoming: Incoming, { operation, access }: Endpoint, caller: Authenticated): void {
  authorize(operation.auth, caller.actor, incoming)
  access.assertPage?.(incoming, caller)
  incoming.isAdmitted = true
}

/** Parses what the operation declares. Most reads by id declare nothing but the id. */
function inputOf(
  { clock, services }: ApiParts,
  { req, route, search }: Incoming,
  { endpoint, body }: { endpoint: Endpoint; body: Record<string, unknown> },
): InputOf<AnyOperation> {
  const { operation, hasInput, hasJsonBody, bodyCheck } = endpoint
  const params = route?.params ?? {}
  const nothing: unknown = { params, query: {}, body, headers: {} }
  if (!hasInput && !hasJsonBody) return nothing as InputOf<AnyOperation>
  const check =
    bodyCheck &&
    ((fields: Record<string, unknown>) => bodyCheck({ now: isoTime(clock.nowMs()), services }, fields))
  return parseInput(operation, { params, search, body, headers: req.headers }, check)
}

/** Most requests of a process arrive at one address. */
let lastArrival = { isTls: false, localAddress: '', localPort: 0, origin: '' }

/** The configured origin, or the address at which the connection arrived: a header of the request could name any other one. */
function originOf({ ownOrigin }: ApiParts, { socket }: IncomingMessage): string {
  if (ownOrigin !== undefined) return ownOrigin
  const { localAddress, localPort } = socket
  if (localAddress === undefined || localPort === undefined) return 'http://localhost'
  const isTls = 'encrypted' in socket
  const last = lastArrival
  if (last.localPort === localPort && last.localAddress === localAddress && last.isTls === isTls)
    return last.origin
  const address = localAddress.replace(/^::ffff:/, '')
  const host = address.includes(':') ? `[${address}]` : address
  const origin = `${isTls ? 'https' : 'http'}://${host}:${localPort}`
  lastArrival = { isTls, localAddress, localPort, origin }
  return origin
}

function hasPages({ search }: Incoming, { isList, mayInclude }: Endpoint): boolean {
  return isList || (mayInclude && search !== '')
}

/** Waits until the list may be made; returns false when the client has disconnected meanwhile. */
async function mayList({ req, res }: Incoming, { tenantId }: Authenticated): Promise<boolean> {
  await mayReplyAtLength(res, tenantId)
  return !req.socket.destroyed
}

/** The file is stored before the handler runs, and removed again unless its change was made. */
async function runUpload(
  parts: ApiParts,
  req: IncomingMessage,
  { upload, ...request }: ParsedRequest & { upload: NonNullable<Operation['upload']> },
): Promise<Reply> {
  const { caller } = request
  if (caller === undefined) throw new Error(`${request.endpoint.operation.id} has no caller`)
  const { id = '' } = request.input.params as { id?: string }
  const { actor } = caller
  const ofVisitor = actor.type === 'visitor' ? { widgetSessionId: actor._id } : {}
  const owner = upload.owner === undefined ? ofVisitor : { [upload.owner]: id }
  const { file, fields, release } = await parts.uploads.receive(req, { ...upload, tenant: caller, owner })
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

/** Throws RATE_LIMIT_EXCEEDED; QUOTA_EXCEEDED where the limit is a space. */
function assertWithin({ meters }: ApiParts, incoming: Incoming, state: LimitState | undefined): void {
  incoming.limit = state
  if (!state?.isRefused) return
  const { name } = state.limit
  if (isBudget(name)) meters.budgetRefused(name)
  throw name === 'visitorFileBytes' ? spaceUsedUp(state) : tooManyRequests(state)
}

function assertVersion(req: IncomingMessage): void {
  const version = req.headers['x-api-version']
  if (version !== undefined && version !== 'v1') {
    throw new Failure('UNSUPPORTED_VERSION', 'The only version of this API is v1')
  }
}

/** Throws SERVICE_UNAVAILABLE for an operation that has to wait until the disk has space. */
function assertDiskHasSpace({ disk, meters }: ApiParts, { isForStrangers }: Endpoint): void {
  if (isForStrangers && disk.isLow()) {
    const reason = { message: 'The service has too little space now', retrySeconds: 60 }
    throw unavailable(refuse(meters, 'diskFree', reason))
  }
  if (!disk.isFull()) return
  const message = 'The disk of the service is full: only reads, deletions and sign-ins are possible'
  throw new Failure('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '1' } })
}

/** Throws for a client that hung up while its credential was read: nothing reports again that its body ends early. */
function assertConnected(req: IncomingMessage): void {
  if (isAborted(req)) throw new Failure('INVALID_JSON', 'The body ended early')
}

function refuseRoute(route: RouteMatch | undefined): never {
  if (route === undefined) throw notFound()
  const allowed = [...route.endpoints.keys()].join(', ')
  throw new Failure('METHOD_NOT_ALLOWED', `This path takes ${allowed}`, { headers: { Allow: allowed } })
}
