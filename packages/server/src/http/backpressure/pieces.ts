import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** A longer body is sent in pieces of this length. */
export const longLength = 64 * 1024

/**
 * Sends a long body no faster than the client takes it. Given to Node as a whole, a body is copied for each client, and
 * what the allocator had to take for the copies it does not give back.
 */
export async function sendInPieces(res: ServerResponse, body: string | Buffer): Promise<void> {
  if (res.req.method === 'HEAD') {
    res.end()
    return
  }
  // A client that goes away in the middle has what it wanted, or asks again.
  await pipeline(piecesOf(body), res).catch(() => res.destroy())
}

export function* piecesOf(body: string | Buffer): Generator<Buffer> {
  let start = 0
  while (start < body.length) {
    const end = start + longLength
    const piece = typeof body === 'string' ? textPiece(body, start, end) : body.subarray(start, end)
    yield typeof piece === 'string' ? Buffer.from(piece) : piece
    start += piece.length
  }
}

/** Never ends between the two halves of a character. */
function textPiece(text: string, start: number, end: number): string {
  const isSplit = text.charCodeAt(end - 1) >>> 10 === 0xd800 >>> 10
  return text.slice(start, isSplit ? end - 1 : end)
}
