import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log, RequestFields, RequestLog } from '../../ports/log.ts'
import type { LimitState } from '../../ports/rate-limiter.ts'
import { clientAddress, type TrustedProxies } from '../credentials/client-address.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import type { Reply } from '../response/send-reply.ts'
import type { Outcome, RequestRecorder } from '../usage/record-requests.ts'
import type { Endpoint } from './endpoint.ts'
import type { RouteMatch } from './route-table.ts'

/** The places that a finished request is noted in. */
interface NoteParts {
  log: Log
  requestLog: RequestLog
  requests: Pick<RequestRecorder, 'record'>
}

interface Received {
  req: IncomingMessage
  res: ServerResponse
  route: RouteMatch | undefined
  /** The operation of the route that has the method of the request. */
  endpoint: Endpoint | undefined
  /** Everything behind the `?`. */
  search: string
  requestId: string
  trustedProxies: TrustedProxies
}

/** One request on its way through the pipeline. */
export class Incoming {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly route: RouteMatch | undefined
  readonly endpoint: Endpoint | undefined
  readonly search: string
  readonly requestId: string
  readonly startedAt = performance.now()
  /** The limit that the request was counted against; undefined before it was counted. */
  limit: LimitState | undefined = undefined
  /** The caller, once its credential is accepted. */
  caller: Authenticated | undefined = undefined
  /** Whether the caller is within its limits and authorized. */
  isAdmitted = false
  /** The caller's IP address. Read at once: the connection of a client that hangs up has none. */
  readonly address: string

  constructor({ req, res, route, endpoint, search, requestId, trustedProxies }: Received) {
    this.req = req
    this.res = res
    this.route = route
    this.endpoint = endpoint
    this.search = search
    this.requestId = requestId
    this.address =
      trustedProxies === 0 ? (req.socket.remoteAddress ?? '') : clientAddress(req, trustedProxies)
  }

  get isLegacy(): boolean {
    return this.route?.isLegacy ?? false
  }

  /** The id in the path. */
  get resourceId(): string | undefined {
    return this.route?.params['id']
  }

  get fields(): RequestFields {
    const { route, caller, requestId } = this
    const fields = { requestId, method: this.req.method ?? 'GET', path: route?.template ?? 'unknown' }
    return caller ? { ...fields, tenantId: caller.tenantId, credentialId: caller.actor._id } : fields
  }

  get ms(): number {
    return performance.now() - this.startedAt
  }
}

/** Express leaves the path of a mounted router in the request. */
export function mountPathOf(
  { basePath }: { basePath: string | undefined },
  req: IncomingMessage & { baseUrl?: string },
): string {
  return basePath ?? req.baseUrl ?? ''
}

/** HEAD is served as GET, without a body. */
export function methodOf({ method = 'GET' }: IncomingMessage): string {
  return method === 'HEAD' ? 'GET' : method
}

/** Notes a request that has its reply. */
export function noteReply(parts: NoteParts, incoming: Incoming, { status }: Pick<Reply, 'status'>): void {
  const exactMs = incoming.ms
  const ms = Math.round(exactMs * 10) / 10
  const { caller, route, requestId } = incoming
  const { method = 'GET' } = incoming.req
  const path = route?.template ?? 'unknown'
  if (caller === undefined) parts.requestLog.note({ requestId, method, path, status, ms })
  else {
    const { tenantId, actor } = caller
    record(parts, incoming, { status, ms: exactMs, isAdmitted: incoming.isAdmitted })
    parts.requestLog.note({ requestId, method, path, tenantId, credentialId: actor._id, status, ms })
  }
}

/** Notes a request whose response ends later than its handler: streams and downloads last as long as their clients. */
export function noteWhenClosed(parts: NoteParts, incoming: Incoming): void {
  const { res } = incoming
  countUntimed(parts, incoming)
  const noteEnd = () => {
    if (!res.headersSent) logAborted(parts, incoming)
    else {
      const ms = Math.round(incoming.ms * 10) / 10
      parts.requestLog.note({ ...incoming.fields, status: res.statusCode, ms })
    }
  }
  if (res.closed) noteEnd()
  else res.once('close', noteEnd)
}

export function noteAborted(parts: NoteParts, incoming: Incoming): void {
  countUntimed(parts, incoming)
  logAborted(parts, incoming)
}

function countUntimed(parts: NoteParts, incoming: Incoming): void {
  const { res, isAdmitted } = incoming
  record(parts, incoming, { status: res.headersSent ? res.statusCode : 0, isAdmitted })
}

function record({ requests }: NoteParts, { caller, endpoint }: Incoming, outcome: Outcome): void {
  if (caller !== undefined && endpoint !== undefined) requests.record(caller, endpoint.operation, outcome)
}

function logAborted({ log }: NoteParts, { fields }: Incoming): void {
  log.info(fields, 'A client closed its connection before its request was complete')
}
