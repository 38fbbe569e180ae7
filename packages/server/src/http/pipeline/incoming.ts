import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log, RequestFields, RequestLog } from '../../ports/log.ts'
import type { LimitState } from '../../ports/rate-limiter.ts'
import type { Authenticated } from '../credentials/authenticate.ts'
import type { Reply } from '../response/send-reply.ts'
import type { RequestMetricsRecorder } from '../usage/record-request-metrics.ts'
import type { RouteMatch } from './route-table.ts'

export interface Incoming {
  req: IncomingMessage
  res: ServerResponse
  route: RouteMatch | undefined
  search: string
  requestId: string
  /** The limit that the request was counted against; undefined before it was counted. */
  limit: LimitState | undefined
  /** The caller, once its credential is accepted. */
  caller: Authenticated | undefined
}

/** The places that a finished request is noted in. */
interface NoteParts {
  log: Log
  requestLog: RequestLog
  metrics: Pick<RequestMetricsRecorder, 'record'>
}

/** HEAD is served as GET, without a body. */
export function methodOf({ method = 'GET' }: IncomingMessage): string {
  return method === 'HEAD' ? 'GET' : method
}

export function fieldsOf({ req, route, requestId, caller }: Incoming): RequestFields {
  const operation = route?.operations.get(methodOf(req)) ?? route?.operations.values().next().value
  const fields = { requestId, method: req.method ?? 'GET', path: operation?.path ?? 'unknown' }
  return caller === undefined
    ? fields
    : { ...fields, tenantId: caller.tenantId, credentialId: caller.actor._id }
}

export function noteFinished(
  { requestLog }: NoteParts,
  incoming: Incoming,
  { status, startedAt }: { status: number; startedAt: number },
): void {
  const ms = Math.round((performance.now() - startedAt) * 10) / 10
  requestLog.note({ ...fieldsOf(incoming), status, ms })
}

/** A download or a stream ends later than its handler. */
export function noteWhenClosed(parts: NoteParts, incoming: Incoming, startedAt: number): void {
  const { res } = incoming
  const noteEnd = () => {
    if (res.headersSent) noteFinished(parts, incoming, { status: res.statusCode, startedAt })
    else noteAborted(parts, incoming)
  }
  if (res.closed) noteEnd()
  else res.once('close', noteEnd)
}

export function noteAborted({ log }: NoteParts, incoming: Incoming): void {
  log.info(fieldsOf(incoming), 'A client closed its connection before its request was complete')
}

/** Counts the outcome of a request with a valid credential. Streams and downloads last as long as their clients, so they are not timed. */
export function recordOutcome(
  { metrics }: NoteParts,
  { caller, res }: Incoming,
  { reply, startedAt }: { reply: Reply | undefined; startedAt: number },
): void {
  if (caller === undefined) return
  if (reply !== undefined) metrics.record(caller.tenantId, reply.status, performance.now() - startedAt)
  else metrics.record(caller.tenantId, res.headersSent ? res.statusCode : 0)
}
