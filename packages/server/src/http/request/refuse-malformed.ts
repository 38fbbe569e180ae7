import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
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

/** Responds to input that never becomes a request, in the envelope of every error, and closes the connection. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The connection is closed already, or in the middle of a response.
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
    socket.destroy()
    return
  }
  const { status, ...said } = refusals[error.code ?? ''] ?? malformed
  const requestId = randomUUID()
  const body = JSON.stringify({ success: false, ...said, requestId })
  const headers = { ...alwaysHeaders, 'X-Request-Id': requestId, Connection: 'close' }
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) })
  const head = [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
  // Long enough for the client to read the response; a client that never hangs up must not keep the connection.
  const cut = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(cut))
}

/** Node keeps the response in progress at its connection; two mixed responses would be unreadable. */
function isResponding(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}
