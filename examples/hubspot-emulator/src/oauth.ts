import { randomBytes } from 'node:crypto'
import type { Reply } from './reply.ts'

export interface OAuthOptions {
  clientId: string
  clientSecret: string
  /** Seconds that an access token is valid. */
  lifetimeSeconds: number
}

const codeLifetimeMs = 60_000
const newSecret = () => randomBytes(24).toString('base64url')

/** Codes, refresh tokens and access tokens of one app. */
export class OAuth {
  readonly options: OAuthOptions
  readonly #codes = new Map<string, { redirectUri: string; expiresMs: number }>()
  readonly #grants = new Set<string>()
  readonly #access = new Map<string, { grant: string; expiresMs: number }>()

  constructor(options: OAuthOptions) {
    this.options = options
  }

  isValid(authorization: string | undefined): boolean {
    const given = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? ''
    return (this.#access.get(given)?.expiresMs ?? 0) > Date.now()
  }

  /** Returns the reply of the pages and endpoints of OAuth; undefined for any other path. */
  respond({ path, query, body }: { path: string; query: URLSearchParams; body: string }): Reply | undefined {
    if (path === '/oauth/authorize') return this.#authorize(query)
    const form = new URLSearchParams(body)
    if (/^\/oauth\/[^/]+\/token$/.test(path)) return this.#token(form)
    if (/^\/oauth\/[^/]+\/token\/revoke$/.test(path)) return this.#revokeToken(form)
    return undefined
  }

  newRefreshToken(): string {
    const grant = newSecret()
    this.#grants.add(grant)
    return grant
  }

  newAccessToken(grant: string, seconds: number): string {
    const token = newSecret()
    this.#access.set(token, { grant, expiresMs: Date.now() + seconds * 1000 })
    return token
  }

  revoke(grant: string): void {
    this.#grants.delete(grant)
    for (const [token, { grant: of }] of this.#access) if (of === grant) this.#access.delete(token)
  }

  /** Ends every access token; refresh tokens stay valid. */
  expireAll(): void {
    this.#access.clear()
  }

  /** Stands for the page on which a person allows the access. */
  #authorize(query: URLSearchParams): Reply {
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== this.options.clientId || !URL.canParse(redirectUri)) {
      return { status: 400, body: { status: 'error', message: 'unknown client or redirect URI' } }
    }
    const code = newSecret()
    this.#codes.set(code, { redirectUri, expiresMs: Date.now() + codeLifetimeMs })
    const target = new URL(redirectUri)
    target.searchParams.set('code', code)
    target.searchParams.set('state', query.get('state') ?? '')
    return { status: 302, body: {}, headers: { Location: target.href } }
  }

  #token(form: URLSearchParams): Reply {
    const { lifetimeSeconds } = this.options
    const isCode = form.get('grant_type') === 'authorization_code'
    const grant = isCode ? this.#grantOfCode(form) : this.#grantOfToken(form)
    if (!this.#isClient(form) || grant === undefined) return refusedGrant()
    const body = {
      access_token: this.newAccessToken(grant, lifetimeSeconds),
      refresh_token: grant,
      expires_in: lifetimeSeconds,
      token_type: 'bearer',
      token_use: 'access_token',
      hub_id: 4711,
      scopes: [],
    }
    return { status: 200, body }
  }

  #revokeToken(form: URLSearchParams): Reply {
    if (!this.#isClient(form)) return refusedGrant()
    this.revoke(form.get('token') ?? '')
    return { status: 200, body: {} }
  }

  #isClient(form: URLSearchParams): boolean {
    const { clientId, clientSecret } = this.options
    return form.get('client_id') === clientId && form.get('client_secret') === clientSecret
  }

  #grantOfToken(form: URLSearchParams): string | undefined {
    const grant = form.get('refresh_token') ?? ''
    return this.#grants.has(grant) ? grant : undefined
  }

  /** A code serves once. */
  #grantOfCode(form: URLSearchParams): string | undefined {
    const text = form.get('code') ?? ''
    const code = this.#codes.get(text)
    this.#codes.delete(text)
    const isValid = code !== undefined && code.expiresMs > Date.now()
    return isValid && code.redirectUri === form.get('redirect_uri') ? this.newRefreshToken() : undefined
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
