import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIPv6, type Socket, Server as TcpServer } from 'node:net'
import {
  refuseExpectation,
  refuseMalformed,
  refuseTunnel,
  refuseWrongHost,
} from '../http/request/refuse-malformed.ts'
import type { FinishedRequest } from '../ports/log.ts'
import type { Service } from './compose/service.ts'
import type { Config } from './config/config.ts'
import { createListener } from './create-app.ts'

/** How long running requests may take to end once the server stops. */
const finishMs = 10_000
/** A busy client sends its next request within so long, and learns from its reply that the connection closes. */
const idleGraceMs = 250

export interface Listening {
  url: string
  /** Stops accepting connections, waits for running requests (10 s), then closes the connections that are left. */
  close(): Promise<void>
}

/** Serves over HTTP. Rejects with a message for the operator when it cannot listen on the port. */
export async function listen(
  service: Service,
  { host, port, keepAliveSeconds }: Pick<Config, 'host' | 'port' | 'keepAliveSeconds'>,
): Promise<Listening> {
  const respond = createListener(service)
  // `refuseWrongHost` checks the Host header: its response is in the envelope.
  const options = { keepAliveTimeout: keepAliveSeconds * 1000, requireHostHeader: false }
  const note = (refused: FinishedRequest | undefined) => {
    if (refused !== undefined) service.requestLog.note(refused)
  }
  /** Connections without a request until now; browsers open some ahead of need. */
  const unused = new Set<Socket>()
  const server = createServer(options, (req, res) => {
    unused.delete(req.socket)
    const refused = refuseWrongHost(req, res)
    if (refused === undefined) respond(req, res)
    else note(refused)
  })
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('clientError', (error, socket) => note(refuseMalformed(error, socket)))
  server.on('checkExpectation', (req, res) => note(refuseExpectation(req, res)))
  server.on('connect', (req, socket) => note(refuseTunnel(req, socket)))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) => reject(new Error(portProblem(error, { host, port, variable: 'PORT' }))))
  server.listen(port, host, resolve)
  await promise
  return {
    url: urlOf(server, { host, port }),
    close: () => {
      service.endStreams()
      return closeServer(server, unused)
    },
  }
}

interface ListenAddress {
  host: string
  port: number
}

/** Returns the address of a server that listens; its port where any free one was asked for. */
export function urlOf(server: Server, { host, port }: ListenAddress): string {
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  return `http://${isIPv6(host) ? `[${host}]` : host}:${actualPort}`
}

/** `variable` sets the port. */
export function portProblem(
  error: NodeJS.ErrnoException,
  { host, port, variable }: ListenAddress & { variable: string },
): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use: set ${variable} to another one, or to 0 for any free port`
    case 'EACCES':
      return `Port ${port} on ${host} needs more rights than this process has: set ${variable} to one above 1023`
    case 'EADDRNOTAVAIL':
      return `CRM_HOST ${host} is not an address of this machine`
    default:
      return `Cannot listen on ${host}, port ${port}: ${error.code ?? error.message}`
  }
}

/**
 * Stops accepting connections, announces to every client with its next reply that the connection closes, and closes the others
 * once they are idle for a moment: a connection that is closed while its client sends a request is a reset.
 */
async function closeServer(server: Server, unused: ReadonlySet<Socket>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
    res.setHeader('Connection', 'close')
  })
  // The method of the HTTP server closes idle connections immediately.
  TcpServer.prototype.close.call(server, () => resolve())
  const closeIdle = setInterval(() => {
    server.closeIdleConnections()
    // For Node a connection is idle only after its first request.
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
  }, idleGraceMs)
  const cut = setTimeout(() => server.closeAllConnections(), finishMs)
  await promise
  clearInterval(closeIdle)
  clearTimeout(cut)
}
