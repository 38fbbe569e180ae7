import type { IncomingMessage, ServerResponse } from 'node:http'
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

/** Lets pages of other origins read responses. No cookies are ever used, so none are allowed. */
export interface Cors {
  allowOrigin(exchange: { req: IncomingMessage; res: ServerResponse }): void
  /** Returns the response to a preflight request of a browser; undefined for every other request. */
  preflight(req: IncomingMessage): Reply | undefined
}

/** Undefined where no origin is named. */
export function createCors(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined
  const allowed = new Set(origins)
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && allowed.has(origin)
  return {
    allowOrigin({ req, res }) {
      // A cache must not give the response for one origin to another origin.
      res.setHeader('Vary', 'Origin')
      const { origin } = req.headers
      if (!isAllowed(origin)) return
      res.setHeader('Access-Control-Allow-Origin', origin)
      res.setHeader('Access-Control-Expose-Headers', exposed)
    },
    preflight({ method, headers }) {
      if (method !== 'OPTIONS' || !isAllowed(headers.origin)) return undefined
      if (headers['access-control-request-method'] === undefined) return undefined
      return { status: 200, body: '{"success":true}', headers: preflightResponses }
    },
  }
}
