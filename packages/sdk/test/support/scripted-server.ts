import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export type Behaviour = (response: ServerResponse, request: SeenRequest) => void

export function respondWith(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

export function ok(data: unknown, headers?: Record<string, string>): Behaviour {
  return respondWith(200, { success: true, data }, headers)
}

export function refuse(status: number, code: string, extra: Record<string, unknown> = {}): Behaviour {
  const { headers, ...rest } = extra as { headers?: Record<string, string> }
  const envelope = { success: false, error: `Refused with ${code}`, code, requestId: 'req_00000001', ...rest }
  return respondWith(status, envelope, { 'x-request-id': 'req_00000001', ...headers })
}

/** Sends the headers and the first bytes of a body that never ends. */
export const stallAfterHeaders: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"success":true,')
}

export const neverRespond: Behaviour = () => {}

export const resetConnection: Behaviour = (response) => {
  response.socket?.resetAndDestroy()
}

/** A real server that behaves as scripted, request by request; the last behaviour stays. Gone with the test. */
export async function scriptedServer(
  ...script: Behaviour[]
): Promise<{ baseUrl: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const entry = { method, url, headers, body: await text(request) }
    seen.push(entry)
    script[Math.min(seen.length, script.length) - 1]?.(response, entry)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, seen }
}
