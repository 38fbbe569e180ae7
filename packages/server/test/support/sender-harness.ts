import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createDestinationGuard } from '../../src/adapters/https-sender/destination-guard.ts'
import { createHttpsSender } from '../../src/adapters/https-sender/https-sender.ts'
import type { ResolveHost } from '../../src/adapters/https-sender/resolve-host.ts'
import type { HttpSender, SenderRequest } from '../../src/ports/http-sender.ts'
import { makeCertificate, type Respond, startReceiver, type TestCertificate } from './https-receiver.ts'

interface SenderSettings {
  allowCidrs?: string[]
  caFiles?: string[]
  resolveHost?: ResolveHost
}

/** Senders and receivers on real sockets for one test file; each test's are closed when it ends. */
export function useSenderHarness() {
  let certificate: TestCertificate
  const cleanups: (() => unknown)[] = []
  const onCleanup = (cleanup: () => unknown) => {
    cleanups.push(cleanup)
  }
  beforeAll(async () => {
    certificate = await makeCertificate(['receiver.test', 'localhost'])
  })
  afterAll(() => certificate.remove())
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  return {
    onCleanup,
    certificate: () => certificate,
    openSender: ({ allowCidrs = ['127.0.0.0/8'], caFiles, resolveHost }: SenderSettings = {}): HttpSender => {
      const guard = createDestinationGuard({ allowCidrs })
      const trusted = caFiles ?? [certificate.caFile]
      const sender = createHttpsSender({ guard, caFiles: trusted, ...(resolveHost && { resolveHost }) })
      onCleanup(() => sender.close())
      return sender
    },
    openReceiver: async (respond?: Respond, own: TestCertificate = certificate) => {
      const receiver = await startReceiver(own, respond)
      onCleanup(() => receiver.close())
      return receiver
    },
    openTcp: async (onSocket: (socket: Socket) => void) => {
      const server = await listenTcp(onSocket)
      onCleanup(server.close)
      return server.url
    },
    post: (sender: HttpSender, url: string, changes: Partial<SenderRequest> = {}) =>
      sender.post({
        url,
        headers: { 'Content-Type': 'application/json' },
        body: '{"hello":"wörld"}',
        timeoutMs: 5000,
        tenantId: 'ten_1',
        ...changes,
      }),
  }
}

/** A server below TLS, for receivers that break the protocol. */
async function listenTcp(onSocket: (socket: Socket) => void): Promise<{ url: string; close: () => void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
