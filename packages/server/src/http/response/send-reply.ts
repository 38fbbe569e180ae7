import type { ServerResponse } from 'node:http'
import type { LimitState } from '../../ports/rate-limiter.ts'
import { longLength, sendInPieces } from '../backpressure/pieces.ts'
import { replyPace } from '../backpressure/reply-pace.ts'
import { unreadReplies } from '../backpressure/unread-replies.ts'
import { limitHeaders } from '../pipeline/rate-limit.ts'

export interface Reply {
  status: number
  /** JSON text. */
  body: string
  headers?: Record<string, string>
}

/** A reply as it leaves: its body may be compressed. */
export type SentReply = Omit<Reply, 'body'> & { body: string | Buffer }

/** A shorter body costs more to compress than it saves on the way. */
export const packedLengthMin = 4096

/** Headers that every response of the API has. */
export const alwaysHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-API-Version': 'v1',
}

/** When the paths without version stop to be served. */
const legacySunset = 'Sat, 01 Jan 2028 00:00:00 GMT'
const legacyHeaders = {
  'X-API-Deprecated': 'true',
  'X-API-Sunset': '2028-01-01',
  Warning: `299 - "This path has no version and is deprecated; use /api/v1 before ${legacySunset}"`,
}

interface About {
  readonly requestId: string
  readonly isLegacy: boolean
  /** The limit that the request was counted against. */
  readonly limit: LimitState | undefined
}

/** Headers of a response that continues as server-sent events; no proxy may buffer or compress them. */
export function streamHeaders(about: About) {
  return {
    ...downloadHeaders(about),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  }
}

/** Headers of a response that is a file, without its type and length. */
export function downloadHeaders({ requestId, isLegacy, limit }: About) {
  return {
    ...alwaysHeaders,
    'X-Request-Id': requestId,
    ...(limit && limitHeaders(limit)),
    ...(isLegacy ? legacyHeaders : undefined),
  }
}

interface Waiting {
  res: ServerResponse
  reply: SentReply
  about: About
}

let waiting: Waiting[] = []
let waitingLength = 0
/** More is written at once: the kernel may take it, and what it does not take is counted. */
const waitingLengthMax = 256 * 1024

/**
 * Responds to a request. Replies of the same event-loop tick are written together: a client that
 * is woken once for many replies costs a busy server a fifth less time than one that is woken for each.
 */
export function sendReply(res: ServerResponse, reply: SentReply, about: About): void {
  if (waiting.length === 0) setImmediate(writeAll)
  waiting.push({ res, reply, about })
  waitingLength += reply.body.length
  if (waitingLength > waitingLengthMax) writeAll()
}

function writeAll(): void {
  const ready = waiting
  waiting = []
  waitingLength = 0
  for (const one of ready) write(one)
}

function write({ res, reply, about }: Waiting): void {
  if (res.headersSent || res.destroyed) return
  const headers: Record<string, string | number> = downloadHeaders(about)
  if (reply.headers !== undefined) Object.assign(headers, reply.headers)
  // A 304 has the length of the body that the client has already.
  if (reply.status !== 304) headers['Content-Length'] = Buffer.byteLength(reply.body)
  res.writeHead(reply.status, headers)
  replyPace.noteWritten(reply.body.length)
  if (reply.body.length <= longLength) {
    endReply(res, reply.body)
    return
  }
  void sendInPieces(res, reply.body)
  unreadReplies.noteHeld(res, reply.body.length)
}

/** The time and the bytes for which a refused client may continue to send before its connection ends. */
const lingerMs = 10_000
const lingerBytesMax = 64 * 1024 * 1024

/**
 * Ends a reply whose length its headers say. Node closes a connection that is not kept alive as soon as its reply has
 * ended, also while the client still sends: the client then sees a reset instead of the reply, and a proxy makes a 502 of
 * it. So the rest of the body is read and dropped first, within bounds.
 */
export function endReply(res: ServerResponse, body: string | Buffer): void {
  const { req } = res
  const hasRest = !req.complete && !req.destroyed
  if (!hasRest || res.shouldKeepAlive) {
    res.end(body)
    return
  }
  res.write(body)
  let length = 0
  const finish = (): void => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(finish, lingerMs)
  req.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > lingerBytesMax) finish()
  })
  req.once('end', finish).once('close', finish).resume()
}
