import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Fault, Faults, spoil } from '../../zoho-emulator/src/faults.ts'
import { Api, type ApiOptions } from './api.ts'
import { type LimitOptions, Limits } from './limits.ts'
import { OAuth } from './oauth.ts'
import type { Reply } from './reply.ts'

export interface EmulatorOptions extends ApiOptions {
  port?: number
  clientId?: string
  clientSecret?: string
  /** Seconds that an access token is valid. */
  lifetimeSeconds?: number
  /** Waits this long before each response. */
  latencyMs?: number
  /** Default: no limit. */
  limits?: LimitOptions
}

export interface LoggedRequest {
  method: string
  path: string
  query: Record<string, string>
  status: number
}

interface Asked {
  path: string
  query: URLSearchParams
  body: string
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>

/** Starts HubSpot as far as imports see it. */
export async function startEmulator(options: EmulatorOptions = {}) {
  const { clientId = 'emulator', clientSecret = 'emulator-secret', lifetimeSeconds = 1_800 } = options
  const api = new Api(options)
  const log: LoggedRequest[] = []
  const faults = new Faults()
  const limits = new Limits(options.limits ?? {})
  const oauth = new OAuth({ clientId, clientSecret, lifetimeSeconds })
  const server = createServer((req, res) => {
    respond(req, res).catch((error: unknown) => res.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(req.url ?? '/', url)
    const body = await readText(req)
    if (path.startsWith('/__emulator/')) return send(res, control({ api, faults, log }, { path, body }))
    const entry = { method: req.method ?? '', path, query: Object.fromEntries(query), status: 0 }
    log.push(entry)
    if (options.latencyMs) await delay(options.latencyMs)
    const action = faults.next(path)
    if (action === 'expire-tokens') oauth.expireAll()
    if (action !== undefined && (await spoil(res, action))) return
    const reply = replyTo(req.headers.authorization, { path, query, body })
    entry.status = reply.status
    send(res, reply)
  }

  function replyTo(authorization: string | undefined, asked: Asked): Reply {
    const reply = oauth.respond(asked)
    if (reply !== undefined) return reply
    if (!oauth.isValid(authorization)) {
      const body = { status: 'error', category: 'EXPIRED_AUTHENTICATION', message: 'expired' }
      return { status: 401, body }
    }
    const taken = limits.take(asked.path, Date.now())
    if ('refusal' in taken) return taken.refusal
    const served = api.respond(asked)
    return { ...served, headers: { ...taken.headers, ...served.headers } }
  }

  return {
    url,
    /** `host:port`, as `CRM_CONNECTOR_HOSTS` takes it. */
    host: new URL(url).host,
    api,
    log,
    faults,
    limits,
    clientId,
    clientSecret,
    newRefreshToken: () => oauth.newRefreshToken(),
    /** A token that does not expire. */
    newServiceKey: () => oauth.newAccessToken('service', 10 * 365 * 86_400),
    revoke: (grant: string) => oauth.revoke(grant),
    /** Ends every access token; refresh tokens stay valid. */
    expireAll: () => oauth.expireAll(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Controlled {
  api: Api
  faults: Faults
  log: readonly LoggedRequest[]
}

/** Changes and faults from another process. */
function control({ api, faults, log }: Controlled, { path, body }: { path: string; body: string }): Reply {
  const { type, id, properties, fault } = body === '' ? {} : JSON.parse(body)
  if (path === '/__emulator/log') return { status: 200, body: log }
  if (path === '/__emulator/fault') faults.add(fault as Fault)
  if (path === '/__emulator/create')
    return { status: 200, body: { id: api.objects(type).create(properties) } }
  if (path === '/__emulator/update') api.objects(type).update(id, properties)
  if (path === '/__emulator/archive') api.objects(type).archive(id)
  return { status: 200, body: {} }
}

function send(res: ServerResponse, { status, body, headers }: Reply): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function readText(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req) text += String(chunk)
  return text
}
