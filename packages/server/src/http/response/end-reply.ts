import type { ServerResponse } from 'node:http'

/** The time and the bytes for which a refused client may continue to send before its connection ends. */
const lingerMs = 10_000
const lingerBytesMax = 64 * 1024 * 1024

/**
 * Ends a reply whose length its headers say. Node closes a connection that is not kept alive as soon as its reply has
 * ended, also while the client still sends: the client then sees a reset instead of the reply, and a proxy makes a 502 of
 * it. So the rest of the body is read and dropped first, within bounds.
 */
export function endReply(res: ServerResponse, body: string): void {
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
