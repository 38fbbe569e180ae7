import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import type { TestCertificate } from '../../support/https-receiver.ts'
import { makeCertificate } from '../../support/https-receiver.ts'
import type { Behaviour } from './receivers.ts'

const byteEveryMs = 100
const hugeBytes = 10 * 1024 * 1024

function* hugeBody(): Generator<Buffer> {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  for (let sent = 0; sent < hugeBytes; sent += chunk.length) yield chunk
}

/** Receivers that respond over HTTP, but badly. */
export const hostileBehaviours: Record<string, Behaviour> = {
  hang: () => undefined,
  reset: ({ req }) => req.socket.destroy(),
  'byte-by-byte': ({ res }) => {
    res.writeHead(200)
    const timer = setInterval(() => res.write('.'), byteEveryMs)
    res.on('close', () => clearInterval(timer))
  },
  huge: ({ res }) => pipeline(hugeBody(), res.writeHead(200), () => undefined),
  redirect: ({ res }) => res.writeHead(302, { location: '/redirected' }).end(),
  'error-500': ({ res }) => res.writeHead(500).end(),
  'error-429': ({ res }) => res.writeHead(429, { 'retry-after': '3' }).end(),
  'gone-410': ({ res }) => res.writeHead(410).end(),
}

/** Receivers that break the connection below HTTP. */
export async function startBrokenReceivers(certificate: Pick<TestCertificate, 'key' | 'cert'>) {
  const stranger = await makeCertificate(['stranger.example'])
  const servers: Record<string, Server> = {
    'no-tls': createTcpServer((socket) => endQuietly(socket, 'this is no handshake\r\n\r\n')),
    'unknown-certificate': createTlsServer({ key: stranger.key, cert: stranger.cert }),
    'half-a-header': createTlsServer(certificate, (socket) => {
      socket.once('data', () => endQuietly(socket, 'HTTP/1.1 200 OK\r\nContent-Le'))
      socket.on('error', () => undefined)
    }),
    'no-http': createTlsServer(certificate, (socket) =>
      endQuietly(socket, '\u0000\u0001\u0002 not http\r\n\r\n'),
    ),
  }
  const sockets = new Set<Socket>()
  const urls: Record<string, string> = {}
  for (const [name, server] of Object.entries(servers)) {
    server.on('tlsClientError', () => undefined)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    urls[name] = `https://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`
  }
  return {
    urls,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      stranger.remove()
      await Promise.all(
        Object.values(servers).map((server) => new Promise((resolve) => server.close(resolve))),
      )
    },
  }
}

function endQuietly(socket: Socket, text: string): void {
  socket.on('error', () => undefined)
  socket.end(text)
}
