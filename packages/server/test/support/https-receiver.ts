import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'

export interface TestCertificate {
  key: string
  cert: string
  /** A PEM file to trust. */
  caFile: string
  remove(): void
}

/** A certificate for 127.0.0.1 and the given names, which is its own CA. */
export async function makeCertificate(names: readonly string[] = ['localhost']): Promise<TestCertificate> {
  const altNames = [
    { type: 7 as const, ip: '127.0.0.1' },
    ...names.map((value) => ({ type: 2 as const, value })),
  ]
  const made = await generate([{ name: 'commonName', value: names[0] ?? 'receiver' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  const directory = mkdtempSync(join(tmpdir(), 'crmkit-ca-'))
  const caFile = join(directory, 'ca.pem')
  writeFileSync(caFile, made.cert)
  return { key: made.private, cert: made.cert, caFile, remove: () => rmSync(directory, { recursive: true }) }
}

export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  /** Names as they were sent, in their order. */
  headerNames: string[]
  body: string
  atMs: number
}

export interface TestReceiver {
  url: string
  port: number
  requests: ReceivedRequest[]
  /** Resolves when this many requests have arrived in all. */
  waitFor(count: number): Promise<ReceivedRequest[]>
  /** The number of connections in all. */
  connectionCount(): number
  /** Cuts every open connection. */
  cutConnections(): void
  close(): Promise<void>
}

export type Respond = (req: IncomingMessage, res: ServerResponse, body: string) => void

/** A real HTTPS server that remembers its requests; responds with 200 unless `respond` does otherwise. */
export async function startReceiver(
  { key, cert }: Pick<TestCertificate, 'key' | 'cert'>,
  respond: Respond = (_req, res) => res.end('ok'),
): Promise<TestReceiver> {
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let waiting: { count: number; resolve: () => void }[] = []
  const server = createServer({ key, cert }, async (req, res) => {
    let body = ''
    for await (const chunk of req.setEncoding('utf8')) body += chunk
    const headerNames = req.rawHeaders.filter((_name, index) => index % 2 === 0)
    const { method = '', url = '', headers } = req
    requests.push({ method, url, headers, headerNames, body, atMs: Date.now() })
    for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve()
    waiting = waiting.filter((waiter) => requests.length < waiter.count)
    respond(req, res, body)
  })
  server.on('secureConnection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cutConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    url: `https://127.0.0.1:${port}/hook`,
    requests,
    waitFor: async (count) => {
      if (requests.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }))
      return requests
    },
    connectionCount: () => connections,
    cutConnections,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      cutConnections()
      await closed
    },
  }
}
