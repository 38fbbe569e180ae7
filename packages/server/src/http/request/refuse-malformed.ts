import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FinishedRequest } from '../../ports/log.ts'
import { alwaysHeaders, endReply } from '../response/send-reply.ts'

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

/**
 * Responds to input that never becomes a request, in the envelope of every error, and closes the connection. Returns the
 * line for the request log; undefined when there is no response.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): FinishedRequest | undefined {
  // The connection is closed already, or in the middle of a response.
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
    socket.destroy()
    return undefined
  }
  const finished = endWith(socket, refusals[error.code ?? ''] ?? malformed)
  // The request that the input broke has a line of its own.
  return isServing(socket) ? undefined : finished
}

/** Responds to CONNECT, which Node passes on as a bare connection. */
export function refuseTunnel(_req: IncomingMessage, socket: Duplex): FinishedRequest {
  // Nothing else listens to a connection that its client breaks off.
  socket.on('error', () => socket.destroy())
  return { ...endWith(socket, noTunnel), method: 'CONNECT' }
}

/** Responds to an `Expect` header that is not 100-continue. */
export function refuseExpectation(req: IncomingMessage, res: ServerResponse): FinishedRequest {
  return respondWith(req, res, expectationFailed)
}

/**
 * Responds to a request without exactly one Host; returns undefined for any other request. A proxy and this server may
 * each read another one of two.
 */
export function refuseWrongHost(req: IncomingMessage, res: ServerResponse): FinishedRequest | undefined {
  const hosts = countHosts(req.rawHeaders)
  if (hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')) return undefined
  return respondWith(req, res, hosts === 0 ? noHost : severalHosts)
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

function respondWith(
  { method = 'unknown' }: IncomingMessage,
  res: ServerResponse,
  refusal: Refusal,
): FinishedRequest {
  const { headers, body } = responseOf(refusal)
  const finished = finishedOf(refusal, headers)
  res.writeHead(finished.status, headers)
  endReply(res, body)
  return { ...finished, method }
}

function finishedOf({ status }: Refusal, headers: { 'X-Request-Id': string }): FinishedRequest {
  const code = Number.parseInt(status, 10)
  return { requestId: headers['X-Request-Id'], method: 'unknown', path: 'unknown', status: code, ms: 0 }
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

function endWith(socket: Duplex, refusal: Refusal): FinishedRequest {
  const { headers, body } = responseOf(refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${refusal.status}`, ...lines].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
  // Long enough for the client to read the response; a client that never hangs up must not keep the connection.
  const cut = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(cut))
  return finishedOf(refusal, headers)
}

/** Node keeps the response in progress at its connection. */
type ServerSocket = Duplex & { _httpMessage?: { headersSent: boolean } | null }

function isServing(socket: ServerSocket): boolean {
  return socket._httpMessage !== undefined && socket._httpMessage !== null
}

/** Two mixed responses would be none. */
function isResponding(socket: ServerSocket): boolean {
  return socket._httpMessage?.headersSent === true
}
