import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure } from '@crmkit/core'
import { isOriginAllowed } from '../../features/widget/widget-inbox.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Reply } from '../response/send-reply.ts'

export interface OriginParts {
  /** The origin of the address that clients use; undefined: the one that a request names. */
  ownOrigin: string | undefined
  trustProxyHops: number
}

interface Exchange {
  req: IncomingMessage
  res: ServerResponse
}

const prefix = '/api/v1/widget/'

/** Whether visitors' browsers call this path, so that the inbox decides which pages may. */
export function isWidgetPath(path: string | undefined): boolean {
  return path?.startsWith(prefix) ?? false
}

/**
 * Lets a page of another origin read the response. The inbox decides on the page, and is known only later:
 * `assertOrigin` takes the permission back. No cookies are ever used, so none are allowed.
 */
export function allowPage({ req, res }: Exchange): void {
  // A cache must not give the response for one origin to another origin.
  res.setHeader('Vary', 'Origin')
  const { origin } = req.headers
  if (origin === undefined) return
  res.setHeader('Access-Control-Allow-Origin', origin)
  res.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, ETag, Content-Disposition')
}

/** Returns the response to a preflight request; undefined for every other request. It names no inbox: the request itself is judged. */
export function widgetPreflight({ method, headers }: IncomingMessage): Reply | undefined {
  if (method !== 'OPTIONS' || headers.origin === undefined) return undefined
  return {
    status: 200,
    body: '{"success":true}',
    headers: {
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      'Access-Control-Allow-Headers': 'authorization, content-type, last-event-id',
      'Access-Control-Max-Age': '600',
    },
  }
}

/** Throws PERMISSION_DENIED for a page that the inbox does not allow. The frame is of the server's own origin. */
export function assertOrigin(parts: OriginParts, { req, res }: Exchange, inbox: InboxRecord): void {
  const { origin } = req.headers
  if (origin === undefined || isOriginAllowed(inbox, origin) || origin === ownOriginOf(parts, req)) return
  res.removeHeader('Access-Control-Allow-Origin')
  res.removeHeader('Access-Control-Expose-Headers')
  throw new Failure('PERMISSION_DENIED', 'The inbox does not allow pages of this origin')
}

/** A forwarded host is written by the caller unless a proxy is trusted to replace it. */
function ownOriginOf({ ownOrigin, trustProxyHops }: OriginParts, req: IncomingMessage): string {
  if (ownOrigin !== undefined) return ownOrigin
  const isTls = 'encrypted' in req.socket
  const scheme =
    (trustProxyHops > 0 && lastOf(req.headers['x-forwarded-proto'])) || (isTls ? 'https' : 'http')
  const host = (trustProxyHops > 0 && lastOf(req.headers['x-forwarded-host'])) || (req.headers.host ?? '')
  return URL.parse(`${scheme}://${host}`)?.origin ?? ''
}

/** The value that the nearest proxy wrote. */
function lastOf(header: string | string[] | undefined): string {
  return [header].flat().join(',').split(',').at(-1)?.trim() ?? ''
}
