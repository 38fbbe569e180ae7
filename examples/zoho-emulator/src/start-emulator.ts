import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Api, type ApiOptions } from './api.ts'
import { type Fault, Faults, spoil } from './faults.ts'
import { OAuth } from './oauth.ts'
import type { Reply } from './records.ts'

export interface EmulatorOptions extends ApiOptions {
  port?: number
  clientId?: string
  clientSecret?: string
  /** Seconds that an access token is valid. */
  lifetimeSeconds?: number
  /** Waits this long before each response of the API. */
  latencyMs?: number
}

export interface LoggedRequest {
  method: string
  path: string
  query: Record<string, string>
  modifiedSince: string | undefined
  status: number
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>

/** Starts Zoho CRM as far as imports see it: the wire format, the caps, the tokens and the failures. */
export async function startEmulator(options: EmulatorOptions = {}) {
  const api = new Api(options)
  const faults = new Faults()
  const log: LoggedRequest[] = []
  const server = createServer((req, res) => {
    respond(req, res).catch((error: unknown) => res.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const oauth = new OAuth({
    clientId: options.clientId ?? '1000.EMULATOR',
    clientSecret: options.clientSecret ?? 'emulator-secret',
    lifetimeSeconds: options.lifetimeSeconds ?? 3600,
    apiDomain: url,
  })

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(req.url ?? '/', url)
    const body = await readText(req)
    if (path.startsWith('/__emulator/')) return send(res, control({ api, faults, log }, { path, body }))
    const entry = logged(req, { path, query })
    log.push(entry)
    const isApi = !path.startsWith('/oauth/')
    const admission = isApi ? api.limits.begin(path, query) : undefined
    if (admission !== undefined && 'refusal' in admission) {
      entry.status = admission.refusal.status
      return send(res, admission.refusal)
    }
    // A request whose caller still waits has its slot.
    res.once('close', () => admission?.end())
    await serve(req, res, { path, query, body, entry, headers: admission?.headers ?? {} })
  }

  async function serve(req: IncomingMessage, res: ServerResponse, asked: Asked): Promise<void> {
    const { path, query, body, entry, headers } = asked
    if (options.latencyMs) await new Promise((resolve) => setTimeout(resolve, options.latencyMs))
    const action = faults.next(path)
    if (action === 'expire-tokens') oauth.expireAll()
    if (action !== undefined && (await spoil(res, action))) return
    if (path === '/oauth/v2/auth') return authorize(res, { query, oauth, url })
    const isSignedIn = oauth.isValid(req.headers.authorization)
    const reply = path.startsWith('/oauth/')
      ? oauthReply(oauth, { path, body })
      : api.respond({ path, query, headers: req.headers, isSignedIn })
    entry.status = reply.status
    send(res, { ...reply, headers })
  }

  return {
    url,
    /** `host:port`, as `CRM_CONNECTOR_HOSTS` takes it. */
    host: new URL(url).host,
    api,
    oauth,
    faults,
    log,
    clientId: oauth.options.clientId,
    clientSecret: oauth.options.clientSecret,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Asked {
  path: string
  query: URLSearchParams
  body: string
  entry: LoggedRequest
  /** Of the response. */
  headers: Record<string, string>
}

interface Authorizing {
  query: URLSearchParams
  oauth: OAuth
  url: string
}

/** Stands for the page on which a person allows the access. */
function authorize(res: ServerResponse, { query, oauth, url }: Authorizing): void {
  const redirectUri = query.get('redirect_uri') ?? ''
  if (query.get('client_id') !== oauth.options.clientId || !URL.canParse(redirectUri)) {
    res.writeHead(400, { 'Content-Type': 'text/html' }).end('<p>Invalid client or redirect URI</p>')
    return
  }
  const target = new URL(redirectUri)
  const state = query.get('state') ?? ''
  const code = oauth.newCode({ redirectUri, isOffline: query.get('access_type') === 'offline' })
  const given = { code, location: 'us', 'accounts-server': url, state }
  for (const [name, value] of Object.entries(given)) target.searchParams.set(name, value)
  res.writeHead(302, { Location: target.href }).end()
}

interface Posted {
  path: string
  body: string
}

function oauthReply(oauth: OAuth, { path, body }: Posted): Reply {
  const form = new URLSearchParams(body)
  if (path === '/oauth/v2/token') return oauth.token(form)
  oauth.revoke(form.get('token') ?? '')
  return { status: 200, body: { status: 'success' } }
}

interface Controlled {
  api: Api
  faults: Faults
  log: readonly LoggedRequest[]
}

/** Changes and faults from another process. */
function control({ api, faults, log }: Controlled, { path, body }: Posted): Reply {
  const { module, id, fields, fault } = body === '' ? {} : JSON.parse(body)
  if (path === '/__emulator/log') return { status: 200, body: log }
  if (path === '/__emulator/fault') faults.add(fault as Fault)
  if (path === '/__emulator/create') return { status: 200, body: { id: api.dataset(module).create(fields) } }
  if (path === '/__emulator/update') api.dataset(module).update(id, fields)
  if (path === '/__emulator/delete') api.dataset(module).delete(id)
  return { status: 200, body: {} }
}

function logged(
  req: IncomingMessage,
  { path, query }: { path: string; query: URLSearchParams },
): LoggedRequest {
  const modifiedSince = req.headers['if-modified-since']
  return { method: req.method ?? '', path, query: Object.fromEntries(query), modifiedSince, status: 0 }
}

async function readText(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req) text += String(chunk)
  return text
}

function send(res: ServerResponse, { status, body, headers }: Reply): void {
  if (body === undefined) {
    res.writeHead(status, headers).end()
    return
  }
  const type = { 'Content-Type': 'application/json;charset=utf-8' }
  res.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body))
}
