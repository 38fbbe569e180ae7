import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Faults, spoil } from '../../zoho-emulator/src/faults.ts'
import { Account, type AccountOptions, bytesOf } from './account.ts'
import { Api, type Reply } from './api.ts'

export interface EmulatorOptions extends AccountOptions {
  port?: number
  /** Waits this long before each response. */
  latencyMs?: number
  /** Zendesk allows ten requests of exports in a minute. Default: no limit. */
  exports?: { max: number; windowMs: number }
}

export interface LoggedRequest {
  path: string
  query: string
  status: number
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>

const apiToken = 'emulator-api-token'
const oauthToken = 'emulator-oauth-token'
const email = 'agent0@acme.test'

/** Starts Zendesk as far as a reader sees it, and the other host that its files are on. */
export async function startEmulator(options: EmulatorOptions = {}) {
  const account = new Account(options)
  const api = new Api(account)
  const log: LoggedRequest[] = []
  const fileRequests: IncomingHttpHeaders[] = []
  const faults = new Faults()
  const exportsAtMs: number[] = []
  const files = createServer((req, res) => {
    fileRequests.push(req.headers)
    const token = new URL(req.url ?? '/', 'http://files').pathname.slice(1)
    res.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(bytesOf(token))
  })
  const server = createServer((req, res) => {
    respond(req, res).catch((error: unknown) => res.destroy(error as Error))
  })
  const fileUrl = await listen(files, 0)
  account.url = await listen(server, options.port ?? 0)

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams, search } = new URL(req.url ?? '/', account.url)
    const path = pathname.replace(/\.json$/, '')
    const entry = { path, query: search, status: 0 }
    log.push(entry)
    if (options.latencyMs) await delay(options.latencyMs)
    const action = faults.next(path)
    if (action !== undefined && (await spoil(res, action))) return
    const token = /^\/attachments\/token\/(\w+)\/$/.exec(path)?.[1]
    if (token !== undefined) return void res.writeHead(302, { Location: `${fileUrl}/${token}` }).end()
    const reply = replyTo(req.headers.authorization, path, searchParams)
    entry.status = reply.status
    res.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers })
    res.end(JSON.stringify(reply.body))
  }

  function replyTo(authorization: string | undefined, path: string, query: URLSearchParams): Reply {
    if (!isSignedIn(authorization)) return { status: 401, body: { error: "Couldn't authenticate you" } }
    const waitSeconds = path.startsWith('/api/v2/incremental/') ? takeExport(Date.now()) : 0
    if (waitSeconds > 0) {
      const headers = { 'Retry-After': String(waitSeconds) }
      return { status: 429, body: { error: 'APIRateLimitExceeded' }, headers }
    }
    return api.respond(path, query)
  }

  /** Counts an export, or returns the seconds until the next one is allowed. */
  function takeExport(nowMs: number): number {
    const { max = Number.POSITIVE_INFINITY, windowMs = 60_000 } = options.exports ?? {}
    while (exportsAtMs[0] !== undefined && exportsAtMs[0] <= nowMs - windowMs) exportsAtMs.shift()
    if (exportsAtMs.length >= max) return Math.ceil(((exportsAtMs[0] ?? nowMs) + windowMs - nowMs) / 1000)
    exportsAtMs.push(nowMs)
    return 0
  }

  return {
    url: account.url,
    /** Both as `host:port`, as `CRM_CONNECTOR_HOSTS` takes them. */
    hosts: [account.url, fileUrl].map((url) => new URL(url).host).join(','),
    host: new URL(account.url).host,
    account,
    log,
    /** The headers of each request to the host of the files. */
    fileRequests,
    faults,
    email,
    apiToken,
    oauthToken,
    close: async () => {
      for (const one of [server, files]) {
        one.closeAllConnections()
        await new Promise((resolve) => one.close(resolve))
      }
    },
  }
}

function isSignedIn(authorization = ''): boolean {
  const basic = Buffer.from(`${email}/token:${apiToken}`).toString('base64')
  return authorization === `Bearer ${oauthToken}` || authorization === `Basic ${basic}`
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
