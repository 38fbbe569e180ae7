import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { FinishedRequest } from '../../ports/log.ts'
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

const lingerMs = 1_000

/**
 * Responds to input that never becomes a request, in the envelope of every error, and closes the connection. Returns the
 * line for the request log; undefined when there is no response.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): FinishedRequest | undefined {
  // The connection is closed already, or in the middle of a response.
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return undefined
  }
  const { status, ...said } = refusals[error.code ?? ''] ?? malformed
  const requestId = randomUUID()
  const body = JSON.stringify({ success: false, ...said, requestId })
  const headers = { ...alwaysHeaders, 'X-Request-Id': requestId, Connection: 'close' }
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) })
  const head = [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
  // Long enough to be read; who never hangs up must not keep the connection.
  const cut = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(cut))
  // The request that the input broke has a line of its own.
  if (isServing(socket)) return undefined
  return { requestId, method: 'unknown', path: 'unknown', status: Number.parseInt(status, 10), ms: 0 }
}

/** Node keeps the response in progress at its connection. */
type ServerSocket = Duplex & { _httpMessage?: { headersSent: boolean } | null }

function isServing(socket: ServerSocket): boolean {
  return socket._httpMessage !== undefined && socket._httpMessage !== null
}

/** Two mixed responses would be none. */
function isAnswering(socket: ServerSocket): boolean {
  return socket._httpMessage?.headersSent === true
}
