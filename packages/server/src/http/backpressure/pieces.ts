import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** A longer body is sent in pieces of this length. */
export const longLength = 64 * 1024

/**
 * Sends a long body no faster than the client takes it. Node copies a body that it gets as a whole for each client,
 * and the allocator does not give the memory of the copies back.
 */
export async function sendInPieces(res: ServerResponse, body: string | Buffer): Promise<void> {
  if (res.req.method === 'HEAD') {
    res.end()
    return
  }
  // A client that disconnects in the middle has what it wanted, or sends the request again.
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

/** A piece never ends between the two halves of a character. */
function textPiece(text: string, start: number, end: number): string {
  const isSplit = text.charCodeAt(end - 1) >>> 10 === 0xd800 >>> 10
  return text.slice(start, isSplit ? end - 1 : end)
}
