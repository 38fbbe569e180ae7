import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Reply } from './send-reply.ts'

/** Returns the reply with the headers by which caches keep it; without a body for a client that has it already. */
export function cacheReply(reply: Reply, req: IncomingMessage, cacheSeconds: number): Reply {
  if (reply.status !== 200) return reply
  const etag = `"${hash('sha256', reply.body, 'base64url')}"`
  const headers = { ...reply.headers, 'Cache-Control': `public, max-age=${cacheSeconds}`, ETag: etag }
  const isKnown = knownTags(req.headers['if-none-match']).some((tag) => tag === etag || tag === '*')
  return isKnown ? { status: 304, body: '', headers } : { ...reply, headers }
}

/** A cache on the way may have made a weak tag of it. */
function knownTags(header: string | undefined): string[] {
  return (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
}
