import { randomBytes } from 'node:crypto'

export interface TokenReply {
  status: number
  body: Record<string, unknown>
}

interface Access {
  refreshToken: string
  expiresMs: number
}

interface Code {
  redirectUri: string
  /** Whether the app asked for a refresh token. */
  isOffline: boolean
  expiresMs: number
}

export interface OAuthOptions {
  clientId: string
  clientSecret: string
  /** Seconds that an access token is valid. */
  lifetimeSeconds: number
  apiDomain: string
}

const codeLifetimeMs = 3 * 60_000
const liveTokensMax = 15
const refreshesMax = 10
const refreshWindowMs = 10 * 60_000

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

/** The accounts server: codes, refresh tokens and access tokens. */
export class OAuth {
  readonly options: OAuthOptions
  readonly #codes = new Map<string, Code>()
  readonly #refreshTokens = new Map<string, number[]>()
  readonly #access = new Map<string, Access>()

  constructor(options: OAuthOptions) {
    this.options = options
  }

  newCode(grant: Pick<Code, 'redirectUri' | 'isOffline'>): string {
    const code = `1000.${hex(16)}.${hex(16)}`
    this.#codes.set(code, { ...grant, expiresMs: Date.now() + codeLifetimeMs })
    return code
  }

  newRefreshToken(): string {
    const token = `1000.${hex(16)}.${hex(16)}`
    this.#refreshTokens.set(token, [])
    return token
  }

  revoke(refreshToken: string): void {
    this.#refreshTokens.delete(refreshToken)
    for (const [token, access] of this.#access) {
      if (access.refreshToken === refreshToken) this.#access.delete(token)
    }
  }

  /** Ends every access token; refresh tokens stay valid. */
  expireAll(): void {
    this.#access.clear()
  }

  isValid(authorization: string | undefined): boolean {
    const token = /^Zoho-oauthtoken (.+)$/.exec(authorization ?? '')?.[1]
    return (this.#access.get(token ?? '')?.expiresMs ?? 0) > Date.now()
  }

  /** Zoho reports most errors of this endpoint with status 200. */
  token(form: URLSearchParams): TokenReply {
    const isClient =
      form.get('client_id') === this.options.clientId &&
      form.get('client_secret') === this.options.clientSecret
    if (!isClient) return { status: 200, body: { error: 'invalid_client' } }
    if (form.get('grant_type') === 'authorization_code') return this.#ofCode(form)
    return this.#ofRefreshToken(form.get('refresh_token') ?? '')
  }

  #ofCode(form: URLSearchParams): TokenReply {
    const text = form.get('code') ?? ''
    const code = this.#codes.get(text)
    this.#codes.delete(text)
    if (code === undefined || code.expiresMs < Date.now())
      return { status: 200, body: { error: 'invalid_code' } }
    if (code.redirectUri !== form.get('redirect_uri'))
      return { status: 200, body: { error: 'invalid_redirect_uri' } }
    const refreshToken = this.newRefreshToken()
    // Without `access_type=offline` a person has to sign in again after an hour.
    const renewal = code.isOffline && { refresh_token: refreshToken }
    return { status: 200, body: { ...this.#grant(refreshToken), ...renewal } }
  }

  #ofRefreshToken(refreshToken: string): TokenReply {
    const used = this.#refreshTokens.get(refreshToken)
    if (used === undefined) return { status: 200, body: { error: 'invalid_code' } }
    const recent = used.filter((at) => at > Date.now() - refreshWindowMs)
    if (recent.length >= refreshesMax) {
      const error_description =
        'You have made too many requests continuously. Please try again after some time.'
      return { status: 400, body: { error: 'Access Denied', error_description, status: 'failure' } }
    }
    this.#refreshTokens.set(refreshToken, [...recent, Date.now()])
    return { status: 200, body: this.#grant(refreshToken) }
  }

  #grant(refreshToken: string): Record<string, unknown> {
    const token = `1000.${hex(16)}.${hex(16)}`
    const live = [...this.#access].filter(([, access]) => access.refreshToken === refreshToken)
    const [oldest] = live
    if (oldest !== undefined && live.length >= liveTokensMax) this.#access.delete(oldest[0])
    this.#access.set(token, { refreshToken, expiresMs: Date.now() + this.options.lifetimeSeconds * 1000 })
    return {
      access_token: token,
      api_domain: this.options.apiDomain,
      token_type: 'Bearer',
      expires_in: this.options.lifetimeSeconds,
    }
  }
}
