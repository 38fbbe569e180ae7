import { hash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** A file that is served from memory. */
export interface PackedFile {
  type: string
  bytes: Buffer
  gzipped: Buffer
  etag: string
}

export const scriptType = 'text/javascript; charset=utf-8'
export const jsonType = 'application/json; charset=utf-8'
export const htmlType = 'text/html; charset=utf-8'

/** For files whose names contain the hash of their text. */
export const hashedCaching = 'public, max-age=31536000, immutable'

export function packFile(text: string, type: string): PackedFile {
  const bytes = Buffer.from(text)
  const etag = `"${hash('sha256', bytes, 'base64url')}"`
  return { type, bytes, gzipped: gzipSync(bytes, { level: 9 }), etag }
}

interface FileReply {
  req: IncomingMessage
  res: ServerResponse
  file: PackedFile
  headers: OutgoingHttpHeaders
}

export function sendFile({ req, res, file: { type, bytes, gzipped, etag }, headers }: FileReply): void {
  const isPacked = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '')
  const isStored = headers['Cache-Control'] !== 'no-store'
  const shared = { ...headers, Vary: 'Accept-Encoding', ...(isStored && { ETag: etag }) }
  if (isStored && req.headers['if-none-match'] === etag) {
    res.writeHead(304, shared).end()
    return
  }
  const body = isPacked ? gzipped : bytes
  res.writeHead(200, {
    ...shared,
    'Content-Type': type,
    'Content-Length': body.length,
    ...(isPacked && { 'Content-Encoding': 'gzip' }),
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}
