import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log, RequestFields, RequestLog } from '../../ports/log.ts'
import type { LimitState } from '../../ports/rate-limiter.ts'
import { clientAddress } from '../credentials/client-address.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import type { Reply } from '../response/send-reply.ts'
import type { RequestMetricsRecorder } from '../usage/record-request-metrics.ts'
import type { RouteMatch } from './route-table.ts'

/** The places that a finished request is noted in. */
interface NoteParts {
  log: Log
  requestLog: RequestLog
  metrics: Pick<RequestMetricsRecorder, 'record'>
}

interface Received {
  req: IncomingMessage
  res: ServerResponse
  route: RouteMatch | undefined
  /** Everything behind the `?`. */
  search: string
  requestId: string
  trustProxyHops: number
}

/** One request on its way through the pipeline. */
export class Incoming {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly route: RouteMatch | undefined
  readonly search: string
  readonly requestId: string
  readonly startedAt = performance.now()
  /** The limit that the request was counted against; undefined before it was counted. */
  limit: LimitState | undefined = undefined
  /** The caller, once its credential is accepted. */
  caller: Authenticated | undefined = undefined
  /** The caller's IP address. Read at once: the connection of a client that hangs up has none. */
  readonly address: string

  constructor({ req, res, route, search, requestId, trustProxyHops }: Received) {
    this.req = req
    this.res = res
    this.route = route
    this.search = search
    this.requestId = requestId
    this.address = clientAddress(req, trustProxyHops)
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

/** HEAD is served as GET, without a body. */
export function methodOf({ method = 'GET' }: IncomingMessage): string {
  return method === 'HEAD' ? 'GET' : method
}

/** Notes a request that has its reply. */
export function noteReply(parts: NoteParts, incoming: Incoming, { status }: Reply): void {
  const { ms, caller, route, requestId } = incoming
  if (caller !== undefined) parts.metrics.record(caller.tenantId, status, ms)
  parts.requestLog.note({
    requestId,
    method: incoming.req.method ?? 'GET',
    path: route?.template ?? 'unknown',
    ...(caller && { tenantId: caller.tenantId, credentialId: caller.actor._id }),
    status,
    ms: Math.round(ms * 10) / 10,
  })
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

function countUntimed({ metrics }: NoteParts, { caller, res }: Incoming): void {
  if (caller !== undefined) metrics.record(caller.tenantId, res.headersSent ? res.statusCode : 0)
}

function logAborted({ log }: NoteParts, { fields }: Incoming): void {
  log.info(fields, 'A client closed its connection before its request was complete')
}
