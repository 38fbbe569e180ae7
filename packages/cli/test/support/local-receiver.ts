import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface LocalReceiver {
  readonly url: string
  readonly port: number
  readonly requests: readonly ReceivedRequest[]
  /** Resolves after this number of requests. */
  waitFor(count: number): Promise<void>
  /** Calls the listener with the count after each request. */
  onCount(listener: (count: number) => void): void
  stop(): Promise<void>
}

/** Starts a local receiver; it stops at the end of the test. */
export async function startReceiver(
  options: { port?: number; status?: number } = {},
): Promise<LocalReceiver> {
  const requests: ReceivedRequest[] = []
  const listeners = new Set<(count: number) => void>()
  const server = createServer(async (req, res) => {
    requests.push({ headers: req.headers, body: await text(req) })
    res.writeHead(options.status ?? 200).end()
    for (const listener of listeners) listener(requests.length)
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    requests,
    waitFor: (count) =>
      new Promise((resolve) => {
        const check = (reached: number) => {
          if (reached < count) return
          listeners.delete(check)
          resolve()
        }
        listeners.add(check)
        check(requests.length)
      }),
    onCount: (listener) => void listeners.add(listener),
    stop,
  }
}
