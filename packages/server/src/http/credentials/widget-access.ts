import type { IncomingMessage } from 'node:http'
import { Failure } from '@crmkit/core'
import type { Visitor } from '../../features/caller.ts'
import type { WidgetRequest } from '../../features/system-handler.ts'
import { assertWidgetUsable, getWidgetInbox, isOriginAllowed } from '../../features/widget/widget-inbox.ts'
import type { Storage } from '../../ports/storage.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { type RequestLimits, tooManyRequests } from '../pipeline/rate-limit.ts'
import type { Access, Exchange } from './access.ts'
import type { Authenticator } from './authenticate.ts'
import { hasProxy, type TrustedProxies } from './client-address.ts'

export interface WidgetAccessParts {
  storage: Pick<Storage, 'system'>
  authenticator: Authenticator
  limits: RequestLimits
  /** The origin of the address that clients use; undefined: the one that a request names. */
  ownOrigin: string | undefined
  trustedProxies: TrustedProxies
}

type Pages = Required<Pick<Access, 'allowOrigin' | 'preflight'>>

/** Visitors' browsers call from pages that the inbox decides on. It is known only later. */
const pages: Pages = {
  /** `assertOrigin` takes the permission back. No cookies are ever used, so none are allowed. */
  allowOrigin({ req, res }) {
    // A cache must not give the response for one origin to another origin.
    res.setHeader('Vary', 'Origin')
    const { origin } = req.headers
    if (origin === undefined) return
    res.setHeader('Access-Control-Allow-Origin', origin)
    res.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, ETag, Content-Disposition')
  },
  /** A preflight request names no inbox: the request itself is judged. */
  preflight({ method, headers }) {
    if (method !== 'OPTIONS' || headers.origin === undefined) return undefined
    return {
      status: 200,
      body: '{"success":true}',
      headers: {
        'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
        'Access-Control-Allow-Headers': 'authorization, content-type, last-event-id',
        'Access-Control-Max-Age': '600',
      },
    }
  },
}

/** The access of a visitor with a session. */
export function createVisitorAccess(parts: WidgetAccessParts): Access {
  const { authenticator, limits } = parts
  return {
    ...pages,
    authenticate: (req) => authenticator.authenticate(req),
    take(exchange, operation, caller) {
      if (caller === undefined) return undefined
      const { req, address } = exchange
      const bytes = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY)
      return limits.takeOfVisitor(caller, operation, { address, bytes })
    },
    assertPage(exchange, { actor }) {
      if (actor.type === 'visitor') assertOrigin(parts, exchange, actor.inbox)
    },
  }
}

/** The access of a visitor without a session, who names an inbox by the key of its chat widget. */
export function createWidgetAccess(parts: WidgetAccessParts): Access {
  return {
    ...pages,
    // A new session is counted, once the request has shown that it wants one.
    take: () => undefined,
    /** Throws NOT_FOUND for an unknown key, and PERMISSION_DENIED while the widget is switched off. */
    async findContext(exchange, input) {
      const { key } = { ...input.query, ...(input.body as object) } as { key: string }
      const { tenantId, tenantLimits, inbox, isSuspended } = await getWidgetInbox(parts.storage.system, key)
      assertOrigin(parts, exchange, inbox)
      assertWidgetUsable({ inbox, isSuspended })
      const visitor = await findVisitor(parts, exchange.req)
      let counted: Promise<void> | undefined
      const countSession: WidgetRequest['countSession'] = (of) => {
        // The handler runs again after a conflict, and the request is counted once.
        counted ??= takeSession(parts, exchange, { ...of, tenantId })
        return counted
      }
      const { origin } = exchange.req.headers
      const pageOrigin = origin === ownOriginOf(parts, exchange.req) ? undefined : origin
      return { tenantId, tenantLimits, inbox, visitor, pageOrigin, countSession }
    },
  }
}

/** A session that has ended, or another credential, is no error: the request does not need one. */
async function findVisitor(
  { authenticator }: WidgetAccessParts,
  req: IncomingMessage,
): Promise<Visitor | undefined> {
  if (req.headers.authorization === undefined) return undefined
  try {
    const { actor } = await authenticator.authenticate(req)
    return actor.type === 'visitor' ? actor : undefined
  } catch {
    return undefined
  }
}

async function takeSession(
  { limits }: WidgetAccessParts,
  exchange: Exchange,
  of: Parameters<RequestLimits['takeWidgetSession']>[0],
): Promise<void> {
  const state = await limits.takeWidgetSession(of)
  exchange.limit = state
  if (state?.isRefused) throw tooManyRequests(state)
}

/** Throws PERMISSION_DENIED for a page that the inbox does not allow. The frame is of the server's own origin. */
function assertOrigin(parts: WidgetAccessParts, { req, res }: Exchange, inbox: InboxRecord): void {
  const { origin } = req.headers
  if (origin === undefined || isOriginAllowed(inbox, origin) || origin === ownOriginOf(parts, req)) return
  res.removeHeader('Access-Control-Allow-Origin')
  res.removeHeader('Access-Control-Expose-Headers')
  throw new Failure('PERMISSION_DENIED', 'The inbox does not allow pages of this origin')
}

/** A forwarded host is written by the caller unless a proxy is trusted to replace it. */
function ownOriginOf({ ownOrigin, trustedProxies }: WidgetAccessParts, req: IncomingMessage): string {
  if (ownOrigin !== undefined) return ownOrigin
  const isTls = 'encrypted' in req.socket
  const scheme =
    (hasProxy(trustedProxies) && lastOf(req.headers['x-forwarded-proto'])) || (isTls ? 'https' : 'http')
  const host =
    (hasProxy(trustedProxies) && lastOf(req.headers['x-forwarded-host'])) || (req.headers.host ?? '')
  return URL.parse(`${scheme}://${host}`)?.origin ?? ''
}

/** The value that the nearest proxy wrote. */
function lastOf(header: string | string[] | undefined): string {
  return [header].flat().join(',').split(',').at(-1)?.trim() ?? ''
}
