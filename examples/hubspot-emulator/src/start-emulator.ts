import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Api, type ApiOptions, type Reply } from './api.ts'

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

const codeLifetimeMs = 60_000

const newSecret = () => randomBytes(24).toString('base64url')

export type Emulator = Awaited<ReturnType<typeof startEmulator>>

/** Starts HubSpot as far as imports see it. */
export async function startEmulator(options: EmulatorOptions = {}) {
  const { clientId = 'emulator', clientSecret = 'emulator-secret', lifetimeSeconds = 1_800 } = options
  const api = new Api(options)
  const log: LoggedRequest[] = []
  const faults: Fault[] = []
  const grants = new Set<string>()
  const codes = new Map<string, { redirectUri: string; expiresMs: number }>()
  const access = new Map<string, { grant: string; expiresMs: number }>()
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
    if (asked.path === '/oauth/authorize') return authorize(asked.query)
    if (/^\/oauth\/[^/]+\/token$/.test(asked.path)) return token(new URLSearchParams(asked.body))
    if (/^\/oauth\/[^/]+\/token\/revoke$/.test(asked.path))
      return revokeToken(new URLSearchParams(asked.body))
    const given = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? ''
    const expiresMs = access.get(given)?.expiresMs ?? 0
    if (expiresMs <= Date.now()) {
      return {
        status: 401,
        body: { status: 'error', category: 'EXPIRED_AUTHENTICATION', message: 'expired' },
      }
    }
    return api.respond(asked)
  }

  /** Stands for the page on which a person allows the access. */
  function authorize(query: URLSearchParams): Reply {
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== clientId || !URL.canParse(redirectUri)) {
      return { status: 400, body: { status: 'error', message: 'unknown client or redirect URI' } }
    }
    const code = newSecret()
    codes.set(code, { redirectUri, expiresMs: Date.now() + codeLifetimeMs })
    const target = new URL(redirectUri)
    target.searchParams.set('code', code)
    target.searchParams.set('state', query.get('state') ?? '')
    return { status: 302, body: {}, headers: { Location: target.href } }
  }

  function revokeToken(form: URLSearchParams): Reply {
    const isClient = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
    if (!isClient) return refusedGrant()
    revoke(form.get('token') ?? '')
    return { status: 200, body: {} }
  }

  function token(form: URLSearchParams): Reply {
    const isClient = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
    const grant = form.get('grant_type') === 'authorization_code' ? grantOfCode(form) : grantOfToken(form)
    if (!isClient || grant === undefined) return refusedGrant()
    const token = newAccessToken(grant, lifetimeSeconds)
    const body = {
      access_token: token,
      refresh_token: grant,
      expires_in: lifetimeSeconds,
      hub_id: 4711,
      scopes: [],
    }
    return { status: 200, body }
  }

  function grantOfToken(form: URLSearchParams): string | undefined {
    const grant = form.get('refresh_token') ?? ''
    return grants.has(grant) ? grant : undefined
  }

  /** A code serves once. */
  function grantOfCode(form: URLSearchParams): string | undefined {
    const text = form.get('code') ?? ''
    const code = codes.get(text)
    codes.delete(text)
    const isValid = code !== undefined && code.expiresMs > Date.now()
    return isValid && code.redirectUri === form.get('redirect_uri') ? newGrant() : undefined
  }

  function newGrant(): string {
    const grant = newSecret()
    grants.add(grant)
    return grant
  }

  function revoke(grant: string): void {
    grants.delete(grant)
    for (const [token, { grant: of }] of access) if (of === grant) access.delete(token)
  }

  function newAccessToken(grant: string, seconds: number): string {
    const token = newSecret()
    access.set(token, { grant, expiresMs: Date.now() + seconds * 1000 })
    return token
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
    newRefreshToken: newGrant,
    isKnown: (grant: string) => grants.has(grant),
    /** A token that does not expire. */
    newServiceKey: () => newAccessToken('service', 10 * 365 * 86_400),
    revoke,
    /** Ends every access token; refresh tokens stay valid. */
    expireAll: () => access.clear(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function refusedGrant(): Reply {
  const error = {
    error: 'invalid_grant',
    error_description: 'missing or unknown',
    status: 'BAD_REFRESH_TOKEN',
  }
  return { status: 400, body: { ...error, message: 'missing or invalid refresh token' } }
}

async function readText(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req) text += String(chunk)
  return text
}
