import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { endReply } from '../response/end-reply.ts'
import { alwaysHeaders } from '../response/send-reply.ts'

interface Refusal {
  status: `${number} ${string}`
  code: string
  error: string
}

/** No operation responds with these, so the reference does not list them. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'HEADERS_TOO_LARGE',
    error: 'The address and the headers of a request are at most 16 KB together',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'REQUEST_TIMEOUT',
    error: 'The request did not arrive in time',
  },
}
const malformed: Refusal = {
  status: '400 Bad Request',
  code: 'INVALID_REQUEST',
  error: 'This is not a valid HTTP request',
}

const expectationFailed: Refusal = {
  status: '417 Expectation Failed',
  code: 'EXPECTATION_FAILED',
  error: 'The only expectation that is met is 100-continue',
}
const noHost: Refusal = { ...malformed, error: 'The Host header is missing' }
const severalHosts: Refusal = { ...malformed, error: 'The Host header is sent more than once' }
const noTunnel: Refusal = { ...malformed, error: 'CONNECT is a request to a proxy, and this server is none' }

const lingerMs = 1_000

/** Responds to input that never becomes a request, in the envelope of every error, and closes the connection. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The connection is closed already, or in the middle of a response.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  endWith(socket, refusals[error.code ?? ''] ?? malformed)
}

/** Responds to CONNECT, which Node passes on as a bare connection. */
export function refuseTunnel(_req: IncomingMessage, socket: Duplex): void {
  // Nothing else listens to a connection that its client breaks off.
  socket.on('error', () => socket.destroy())
  endWith(socket, noTunnel)
}

/** Responds to an `Expect` header that is not 100-continue. */
export function refuseExpectation(_req: IncomingMessage, res: ServerResponse): void {
  respondWith(res, expectationFailed)
}

/**
 * Responds to a request without exactly one Host, and returns whether it did. A proxy and this server may each read
 * another one of two.
 */
export function refuseWrongHost(req: IncomingMessage, res: ServerResponse): boolean {
  const hosts = countHosts(req.rawHeaders)
  if (hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')) return false
  respondWith(res, hosts === 0 ? noHost : severalHosts)
  return true
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

function respondWith(res: ServerResponse, refusal: Refusal): void {
  const { headers, body } = responseOf(refusal)
  res.writeHead(Number.parseInt(refusal.status, 10), headers)
  endReply(res, body)
}

function responseOf({ status: _, ...said }: Refusal) {
  const requestId = randomUUID()
  const body = JSON.stringify({ success: false, ...said, requestId })
  const headers = {
    ...alwaysHeaders,
    'X-Request-Id': requestId,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  }
  return { headers, body }
}

function endWith(socket: Duplex, refusal: Refusal): void {
  const { headers, body } = responseOf(refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${refusal.status}`, ...lines].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
  // Long enough to be read; who never hangs up must not keep the connection.
  const cut = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(cut))
}

/** Node keeps the response in progress at its connection; two mixed responses would be none. */
function isAnswering(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}
