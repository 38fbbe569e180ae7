import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface StubRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

interface StubResponse {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly delayMs?: number
}

type StubHandler = (request: StubRequest) => StubResponse | Promise<StubResponse>

export interface StubServer {
  readonly baseUrl: string
  readonly requests: StubRequest[]
}

/** Starts a server whose responses the test defines, for responses that a real server does not give on demand. */
export async function startStub(routes: Readonly<Record<string, StubHandler>>): Promise<StubServer> {
  const requests: StubRequest[] = []
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://stub')
    const hasBody = req.method !== 'GET' && req.headers['content-type'] !== undefined
    const body = hasBody ? ((await json(req)) as Record<string, unknown>) : {}
    const request = {
      method: req.method ?? '',
      path: pathname,
      query: searchParams,
      headers: req.headers,
      body,
    }
    requests.push(request)
    const handler =
      routes[`${request.method} ${pathname}`] ??
      (() => failure(404, 'NOT_FOUND', 'There is no such resource'))
    const response = await handler(request)
    if (response.delayMs) await new Promise((resolve) => setTimeout(resolve, response.delayMs))
    res.writeHead(response.status ?? 200, {
      'content-type': 'application/json',
      'x-request-id': 'req-stub-0001',
      ...response.headers,
    })
    res.end(JSON.stringify(response.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

export function success(data: unknown, extra: object = {}): StubResponse {
  return { body: { success: true, data, ...extra } }
}

export function failure(status: number, code: string, error: string, extra: object = {}): StubResponse {
  return { status, body: { success: false, error, code, requestId: 'req-stub-0001', ...extra } }
}

export function customerList(customers: readonly unknown[], total = customers.length): StubResponse {
  const nextCursor = total > customers.length ? 'cursor-2' : null
  const pagination = { total, page: 1, limit: 20, totalPages: 1, totalIsEstimate: false, nextCursor }
  return success(customers, { pagination })
}

export function customer(number: number, profile: Readonly<Record<string, string | null>> = {}): object {
  const at = '2026-01-02T03:04:05.678Z'
  const names = {
    firstName: 'Ada',
    lastName: `Nr ${number}`,
    email: `ada${number}@example.com`,
    phone: null,
    company: null,
  }
  return {
    _id: `cus_01J8ZQ4W7N3M5K6P8R9S0T1V${String(number).padStart(2, '0')}`,
    tenantId: 'ten_1',
    profile: { ...names, ...profile },
    jobTitle: null,
    tier: 'gold',
    status: 'active',
    tags: [],
    customFields: {},
    createdAt: at,
    updatedAt: at,
  }
}

export function session(tokens: { accessToken: string; refreshToken: string }): object {
  const at = '2026-01-02T03:04:05.678Z'
  const user = {
    _id: 'usr_1',
    tenantId: 'ten_1',
    email: 'ada@acme.test',
    firstName: 'Ada',
    lastName: 'Lovelace',
    role: 'owner',
    isActive: true,
    availability: 'online',
    processingRestricted: false,
    createdAt: at,
    updatedAt: at,
  }
  return { ...tokens, tokenType: 'Bearer', expiresIn: 900, user, tenant: { _id: 'ten_1', name: 'Acme' } }
}
