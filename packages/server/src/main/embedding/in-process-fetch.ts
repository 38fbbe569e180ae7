import { createServer, type IncomingMessage, type RequestListener, request as sendRequest } from 'node:http'
import { duplexPair, Readable } from 'node:stream'
import { type InProcessCaller, trustConnection } from '../../http/credentials/in-process-callers.ts'

export type InProcessFetch = (input: string, init: RequestInit) => Promise<Response>

/** Statuses whose response has no body. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304])

/**
 * Returns a function that makes a `fetch` for a caller. Each request is a connection in memory to a server of its own
 * that listens on no port: everything else is as for any other request.
 */
export function createInProcessFetch(handler: RequestListener): (caller: InProcessCaller) => InProcessFetch {
  const server = createServer(handler)
  return (caller) => async (input, init) => {
    const request = new Request(input, init)
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
    const [near, far] = duplexPair()
    trustConnection(far, caller)
    server.emit('connection', far)
    const { pathname, search, host } = new URL(request.url)
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const outgoing = sendRequest(
      {
        createConnection: () => near,
        method: request.method,
        path: pathname + search,
        headers: {
          ...Object.fromEntries(request.headers),
          host,
          ...(body && { 'content-length': body.length }),
        },
        signal: request.signal,
      },
      resolve,
    )
    outgoing.on('error', reject).end(body)
    return responseOf(await promise)
  }
}

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 500, rawHeaders } = incoming
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  const body = bodiless.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}
