import { createServer, type Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { refuseMalformed } from '../http/request/refuse-malformed.ts'
import type { Service } from './compose/service.ts'
import type { Config } from './config.ts'
import { createApp, serverClasses } from './create-app.ts'

const finishMs = 10_000

export interface Listening {
  url: string
  /** Stops accepting connections, waits for running requests (10 s), then closes the connections that are left. */
  close(): Promise<void>
}

/** Serves over HTTP. Rejects with a message for the operator when it cannot listen on the port. */
export async function listen(
  service: Service,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<Listening> {
  const app = createApp(service)
  const server = createServer(serverClasses(app), app)
  server.on('clientError', refuseMalformed)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) => reject(new Error(portProblem(error, { host, port }))))
  server.listen(port, host, resolve)
  await promise
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${actualPort}`,
    close: () => {
      service.endStreams()
      return closeServer(server)
    },
  }
}

function portProblem(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use: set PORT to another one, or to 0 for any free port`
    case 'EACCES':
      return `Port ${port} on ${host} needs more rights than this process has: set PORT to one above 1023`
    case 'EADDRNOTAVAIL':
      return `CRM_HOST ${host} is not an address of this machine`
    default:
      return `Cannot listen on ${host}, port ${port}: ${error.code ?? error.message}`
  }
}

async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), finishMs)
  await promise
  clearTimeout(cut)
}
