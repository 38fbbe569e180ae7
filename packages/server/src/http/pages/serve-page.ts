import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure } from '@crmkit/core'
import type { Log, RequestLog } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import type { LimitState } from '../../ports/rate-limiter.ts'
import { boundReplies } from '../backpressure/bound-replies.ts'
import { clientAddress, type TrustedProxies } from '../credentials/client-address.ts'
import type { ApiHandler } from '../pipeline/mount-operations.ts'
import { type RequestLimits, tooManyRequests } from '../pipeline/rate-limit.ts'
import { replyToError } from '../response/handle-error.ts'
import { sendReply } from '../response/send-reply.ts'

export interface PageParts {
  limits: RequestLimits
  log: Log
  requestLog: RequestLog
  meters: Pick<Meters, 'errorReplied'>
  trustedProxies: TrustedProxies
  /** Where clients reach the service; unset: where the page itself came from. */
  baseUrl: string | undefined
}

export interface AboutPage {
  requestId: string
  isLegacy: boolean
  limit: undefined
}

type Respond = (req: IncomingMessage, res: ServerResponse, about: AboutPage) => Promise<void>

interface Page {
  /** For the log, without anything of a request. */
  path: string
  respond: Respond
  /** Whether a request counts against the address of its caller: a page without a credential does. */
  isCounted?: boolean
  /** The methods that it takes; by default GET and HEAD. */
  methods?: readonly string[]
}

const readMethods = ['GET', 'HEAD']

/** Nothing from another origin, no script or style of the page's own text, and no frame around it. */
export const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

/** Serves a page, by default to GET and HEAD, with a request id, a line in the request log and the service's own refusals. */
export function servePage(
  parts: PageParts,
  { path, respond, isCounted = true, methods = readMethods }: Page,
): ApiHandler {
  return boundReplies(async (req, res) => {
    const about = { requestId: randomUUID(), isLegacy: false, limit: undefined }
    const startedAt = performance.now()
    const request = { requestId: about.requestId, method: req.method ?? 'GET', path }
    res.setHeader('X-Request-Id', request.requestId)
    res.once('close', () => {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10
      parts.requestLog.note({ ...request, status: res.statusCode, ms })
    })
    try {
      if (isCounted) await countAgainstAddress(parts, req)
      if (!methods.includes(req.method ?? '')) throw onlyMethods(methods)
      await respond(req, res, about)
    } catch (error) {
      sendReply(res, replyToError(error, { ...parts, request }), about)
    }
  }, parts)
}

function onlyMethods(methods: readonly string[]): Failure {
  const names = methods.join(', ')
  return new Failure('METHOD_NOT_ALLOWED', `This path takes ${names}`, { headers: { Allow: names } })
}

async function countAgainstAddress(
  { limits, trustedProxies }: PageParts,
  req: IncomingMessage,
): Promise<void> {
  assertWithin(await limits.takeAnonymous(clientAddress(req, trustedProxies)))
}

/** Throws RATE_LIMIT_EXCEEDED. */
export function assertWithin(state: LimitState | undefined): void {
  if (state?.isRefused) throw tooManyRequests(state)
}

/** The path under which another app has mounted the service. */
export function mountPathOf(req: IncomingMessage & { baseUrl?: string }): string {
  return req.baseUrl || '/'
}
