import type { IncomingMessage } from 'node:http'
import type { Reply } from './send-reply.ts'

/** The headers that a page of another origin may read besides the body. */
const exposed = [
  'X-Request-Id',
  'X-API-Version',
  'X-API-Deprecated',
  'X-API-Sunset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'Idempotency-Replayed',
  'Content-Disposition',
].join(', ')

const preflightResponses = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, X-API-Key, X-API-Version, X-Request-Id, Last-Event-ID, If-Conversation-Seq, Force',
  'Access-Control-Max-Age': '600',
}

/** Lets pages of these origins read responses. No cookies are ever used, so none are allowed. */
export interface Cors {
  /** Undefined where no origin is named. */
  headersFor(req: IncomingMessage): Record<string, string> | undefined
  /** Returns the response to a preflight request of a browser; undefined for every other request. */
  preflight(req: IncomingMessage): Reply | undefined
}

export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins)
  const isAllowed = (req: IncomingMessage) =>
    req.headers.origin !== undefined && allowed.has(req.headers.origin)
  return {
    headersFor(req) {
      if (allowed.size === 0) return undefined
      // A cache must not give the response for one origin to another origin.
      if (!isAllowed(req)) return { Vary: 'Origin' }
      return {
        Vary: 'Origin',
        'Access-Control-Allow-Origin': req.headers.origin ?? '',
        'Access-Control-Expose-Headers': exposed,
      }
    },
    preflight(req) {
      if (req.method !== 'OPTIONS' || !isAllowed(req)) return undefined
      if (req.headers['access-control-request-method'] === undefined) return undefined
      return { status: 200, body: '{"success":true}', headers: preflightResponses }
    },
  }
}
