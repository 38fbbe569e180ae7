import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Api, type ApiOptions, type Reply } from './api.ts'
import { OAuth } from './oauth.ts'

export interface EmulatorOptions extends ApiOptions {
  port?: number
  clientId?: string
  clientSecret?: string
  /** Seconds that an access token is valid. */
  lifetimeSeconds?: number
}

export interface LoggedRequest {
  method: string
  path: string
  query: Record<string, string>
  status: number
}

/** Spoils the next requests whose path begins with `match`. */
export interface Fault {
  match: string
  times: number
  reply: Reply
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>

/** Starts HubSpot as far as imports see it. */
export async function startEmulator(options: EmulatorOptions = {}) {
  const { clientId = 'emulator', clientSecret = 'emulator-secret', lifetimeSeconds = 1_800 } = options
  const api = new Api(options)
  const log: LoggedRequest[] = []
  const faults: Fault[] = []
  const oauth = new OAuth({ clientId, clientSecret, lifetimeSeconds })
  const server = createServer((req, res) => {
    respond(req, res).catch((error: unknown) => res.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(req.url ?? '/', url)
    const body = await readText(req)
    const entry = { method: req.method ?? '', path, query: Object.fromEntries(query), status: 0 }
    log.push(entry)
    const reply = faultOf(path) ?? replyTo(req, { path, query, body })
    entry.status = reply.status
    const headers = { 'Content-Type': 'application/json', ...reply.headers }
    res.writeHead(reply.status, headers).end(JSON.stringify(reply.body))
  }

  function faultOf(path: string): Reply | undefined {
    const fault = faults.find(({ match, times }) => times > 0 && path.startsWith(match))
    if (fault === undefined) return undefined
    fault.times -= 1
    return fault.reply
  }

  function replyTo(
    req: IncomingMessage,
    asked: { path: string; query: URLSearchParams; body: string },
  ): Reply {
    const reply = oauth.respond(asked)
    if (reply !== undefined) return reply
    if (oauth.isValid(req.headers.authorization)) return api.respond(asked)
    return {
      status: 401,
      body: { status: 'error', category: 'EXPIRED_AUTHENTICATION', message: 'expired' },
    }
  }

  return {
    url,
    /** `host:port`, as `CRM_CONNECTOR_HOSTS` takes it. */
    host: new URL(url).host,
    api,
    log,
    faults,
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

async function readText(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req) text += String(chunk)
  return text
}
