import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A grant, as a provider of mailboxes stores it. */
interface Grant {
  address: string
  scope: string
  isEnded: boolean
}

export interface MailProviderServer {
  /** `host:port` of its sign-in, which speaks plain http. */
  accounts: string
  /** The address where a mail server asks for the owner of a token. */
  introspectionUrl: string
  /** The queries of its page so far. */
  readonly asked: readonly URLSearchParams[]
  /** How often a token was refreshed. */
  refreshes(): number
  /** The person who signs in next. */
  person: string
  /** The next person refuses the access. */
  isDenied: boolean
  /** The server of tokens is away: it responds with this status. */
  awayWith: number | undefined
  /** The server of tokens takes requests and says nothing. */
  isSilent: boolean
  /** Ends all grants, as a person does at the provider. */
  endGrants(): void
  /** Makes all access tokens invalid before their end. */
  endTokens(): void
  readonly revoked: readonly string[]
  isValid(accessToken: string, address: string): boolean
  close(): Promise<void>
}

const clients = {
  google: { id: 'google-client', secret: 'google-secret' },
  microsoft: { id: 'microsoft-client', secret: 'microsoft-secret' },
}
export const providerVariables = {
  CRM_GOOGLE_CLIENT_ID: clients.google.id,
  CRM_GOOGLE_CLIENT_SECRET: clients.google.secret,
  CRM_MICROSOFT_CLIENT_ID: clients.microsoft.id,
  CRM_MICROSOFT_CLIENT_SECRET: clients.microsoft.secret,
}

/**
 * The sign-in of Google and of Microsoft, after their documents:
 * https://developers.google.com/identity/protocols/oauth2/web-server (paths, `access_type`, `prompt`, errors of RFC 6749) and
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow (paths, `offline_access`, a new refresh token with
 * each refresh, the claim `preferred_username`).
 */
export async function startMailProvider(): Promise<MailProviderServer> {
  const asked: URLSearchParams[] = []
  const revoked: string[] = []
  const codes = new Map<string, Grant & { redirectUri: string; clientId: string }>()
  const refreshTokens = new Map<string, Grant>()
  const accessTokens = new Map<string, Grant>()
  let refreshes = 0
  const newToken = (start: string) => `${start}${randomBytes(24).toString('base64url')}`

  const state = {
    person: 'support@acme.test',
    isDenied: false,
    isSilent: false,
    awayWith: undefined as number | undefined,
  }

  function authorize(query: URLSearchParams, isGoogle: boolean, res: ServerResponse): void {
    asked.push(query)
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('state', query.get('state') ?? '')
    const scope = query.get('scope') ?? ''
    const isOffline = isGoogle
      ? query.get('access_type') === 'offline' && query.get('prompt') === 'consent'
      : scope.split(' ').includes('offline_access')
    if (state.isDenied) back.searchParams.set('error', 'access_denied')
    else {
      const code = newToken('4/')
      const clientId = query.get('client_id') ?? ''
      const redirectUri = query.get('redirect_uri') ?? ''
      codes.set(code, {
        address: state.person,
        scope: isOffline ? scope : '',
        isEnded: false,
        redirectUri,
        clientId,
      })
      back.searchParams.set('code', code)
    }
    res.writeHead(302, { Location: back.href }).end()
  }

  function grantOf(form: URLSearchParams): Grant | undefined {
    if (form.get('grant_type') === 'refresh_token') {
      refreshes += 1
      return refreshTokens.get(form.get('refresh_token') ?? '')
    }
    const code = form.get('code') ?? ''
    const found = codes.get(code)
    codes.delete(code)
    const isRight =
      found?.redirectUri === form.get('redirect_uri') && found?.clientId === form.get('client_id')
    return isRight ? found : undefined
  }

  function token(form: URLSearchParams, isGoogle: boolean): [number, object] {
    if (state.awayWith !== undefined) return [state.awayWith, {}]
    const { id, secret } = isGoogle ? clients.google : clients.microsoft
    if (form.get('client_id') !== id || form.get('client_secret') !== secret)
      return [401, { error: 'invalid_client' }]
    const grant = grantOf(form)
    if (grant === undefined || grant.isEnded)
      return [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }]
    const accessToken = newToken('ya29.')
    accessTokens.set(accessToken, grant)
    const isFirst = form.get('grant_type') === 'authorization_code'
    const refreshToken = newToken('1//')
    const getsRefreshToken = (isFirst || !isGoogle) && grant.scope !== ''
    if (getsRefreshToken) refreshTokens.set(refreshToken, grant)
    const claims = isGoogle ? { email: grant.address } : { preferred_username: grant.address }
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    return [
      200,
      {
        access_token: accessToken,
        expires_in: 3599,
        scope: grant.scope,
        token_type: 'Bearer',
        ...(getsRefreshToken && { refresh_token: refreshToken }),
        ...(isFirst && { id_token: `e30.${payload}.signature` }),
      },
    ]
  }

  function introspect(req: IncomingMessage, res: ServerResponse): void {
    const grant = accessTokens.get((req.headers.authorization ?? '').replace(/^Bearer /, ''))
    if (grant === undefined) res.writeHead(401, { 'Content-Type': 'application/json' }).end('{}')
    else
      res
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ email: grant.address, active: true }))
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://provider')
    const form = new URLSearchParams(req.method === 'POST' ? await text(req) : '')
    if (pathname === '/o/oauth2/v2/auth') return authorize(searchParams, true, res)
    if (pathname === '/common/oauth2/v2.0/authorize') return authorize(searchParams, false, res)
    if (['/token', '/common/oauth2/v2.0/token'].includes(pathname)) {
      if (state.isSilent) return
      const [status, body] = token(form, pathname === '/token')
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    if (pathname === '/introspect') return introspect(req, res)
    if (pathname === '/revoke') {
      revoked.push(form.get('token') ?? '')
      const grant = refreshTokens.get(form.get('token') ?? '')
      if (grant) grant.isEnded = true
      res.writeHead(grant ? 200 : 400).end('{}')
      return
    }
    res.writeHead(404).end()
  }

  const server = createServer((req, res) => void handle(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    accounts: `127.0.0.1:${port}`,
    introspectionUrl: `http://127.0.0.1:${port}/introspect`,
    asked,
    revoked,
    refreshes: () => refreshes,
    endGrants: () => {
      for (const grant of [...refreshTokens.values(), ...accessTokens.values()]) grant.isEnded = true
      accessTokens.clear()
    },
    endTokens: () => accessTokens.clear(),
    isValid: (accessToken: string, address: string) => accessTokens.get(accessToken)?.address === address,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  })
}
