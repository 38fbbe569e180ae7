import type { MailProvider } from '@crmkit/core'
import type { Clock } from '../../ports/clock.ts'
import { SourceFailure } from '../../ports/connector.ts'
import type { ConnectorHttp, SourceResponse } from '../../ports/connector-http.ts'
import type { MailAccess, MailSignInSettings, MailSignIns } from '../../ports/mail-sign-in.ts'

interface SignInParts {
  http: ConnectorHttp
  clock: Clock
  settings: MailSignInSettings
}

interface Provider {
  /** Origin and path of the page where a person grants access, and of the server of tokens. */
  authorize: { origin: string; path: string }
  token: { origin: string; path: string }
  revoke?: { origin: string; path: string }
  scopes: readonly string[]
  /** Parameters without which there is no refresh token. */
  offline: Readonly<Record<string, string>>
}

/**
 * https://developers.google.com/identity/protocols/oauth2/web-server,
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 */
function providersOf({ microsoft }: MailSignInSettings): Readonly<Record<MailProvider, Provider>> {
  const directory = `/${encodeURIComponent(microsoft.tenant)}/oauth2/v2.0`
  const login = 'https://login.microsoftonline.com'
  return {
    google: {
      authorize: { origin: 'https://accounts.google.com', path: '/o/oauth2/v2/auth' },
      token: { origin: 'https://oauth2.googleapis.com', path: '/token' },
      revoke: { origin: 'https://oauth2.googleapis.com', path: '/revoke' },
      scopes: ['https://mail.google.com/', 'openid', 'email'],
      offline: { access_type: 'offline', prompt: 'consent' },
    },
    microsoft: {
      authorize: { origin: login, path: `${directory}/authorize` },
      token: { origin: login, path: `${directory}/token` },
      scopes: [
        'https://outlook.office.com/IMAP.AccessAsUser.All',
        'https://outlook.office.com/SMTP.Send',
        'offline_access',
        'openid',
        'email',
      ],
      offline: { prompt: 'select_account' },
    },
  }
}

const lifetimeDefaultSeconds = 3600

export function createMailSignIns({ http, clock, settings }: SignInParts): MailSignIns {
  const providers = providersOf(settings)
  const { accounts } = settings.hosts
  // The port of an emulator says nothing about its protocol: on this machine it speaks plain http.
  const at = ({ origin, path }: Provider['token']) =>
    `${accounts === undefined ? origin : `http://${accounts}`}${path}`
  const clientOf = (provider: MailProvider) => ({
    client_id: settings[provider].clientId ?? '',
    client_secret: settings[provider].clientSecret ?? '',
  })

  async function post(
    url: string,
    { tenantId, form, signal }: { tenantId: string; form: Record<string, string>; signal: AbortSignal },
  ): Promise<Readonly<Record<string, unknown>>> {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(form).toString()
    const response = await http.send({ tenantId, method: 'POST', url, headers, body, signal })
    const reply = (response.json ?? {}) as Readonly<Record<string, unknown>>
    if (response.status >= 200 && response.status < 300) return reply
    throw failureOf(response, reply, clock)
  }

  function accessOf(reply: Readonly<Record<string, unknown>>): MailAccess {
    const { access_token: accessToken, expires_in: seconds, refresh_token: refreshToken } = reply
    if (typeof accessToken !== 'string')
      throw new SourceFailure('transient', 'The provider sent no access token')
    const lifetime = Number(seconds) > 0 ? Number(seconds) : lifetimeDefaultSeconds
    return {
      accessToken,
      expiresAtMs: clock.nowMs() + lifetime * 1000,
      ...(typeof refreshToken === 'string' && { refreshToken }),
    }
  }

  return {
    authorizationUrl: ({ provider, state, redirectUri }) => {
      const { authorize, scopes, offline } = providers[provider]
      const { clientId } = settings[provider]
      if (clientId === null) return undefined
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        scope: scopes.join(' '),
        redirect_uri: redirectUri,
        state,
        ...offline,
      })
      return `${at(authorize)}?${query}`
    },
    accountsServerOf: (provider) => new URL(at(providers[provider].token)).origin,
    async exchange({ provider, tenantId, code, redirectUri, signal }) {
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        ...clientOf(provider),
      }
      const reply = await post(at(providers[provider].token), { tenantId, form, signal })
      const access = accessOf(reply)
      const address = addressOf(reply['id_token'])
      if (access.refreshToken === undefined || address === undefined)
        throw new SourceFailure('auth', 'The provider sent no refresh token, or no address')
      return { ...access, refreshToken: access.refreshToken, address }
    },
    async refresh({ provider, tenantId, refreshToken, signal }) {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...clientOf(provider) }
      return accessOf(await post(at(providers[provider].token), { tenantId, form, signal }))
    },
    async revoke({ provider, tenantId, refreshToken, signal }) {
      const { revoke } = providers[provider]
      if (revoke !== undefined) await post(at(revoke), { tenantId, form: { token: refreshToken }, signal })
    },
    placeOf: (server) => {
      const named = settings.hosts[server]
      if (named === undefined) return undefined
      const end = named.lastIndexOf(':')
      return { host: named.slice(0, end), port: Number(named.slice(end + 1)) }
    },
  }
}

/** RFC 6749 section 5.2: `invalid_grant` says that the code or the grant is over. */
function failureOf(
  { status, retryAfterMs }: SourceResponse,
  { error }: Readonly<Record<string, unknown>>,
  clock: Clock,
): SourceFailure {
  if (status === 429) {
    const retryAt = retryAfterMs === null ? null : new Date(clock.nowMs() + retryAfterMs).toISOString()
    return new SourceFailure('rate', 'The provider asks to wait', retryAt)
  }
  if (status >= 500 || typeof error !== 'string')
    return new SourceFailure('transient', `The provider responded with status ${status}`)
  return new SourceFailure('auth', 'The provider refuses the sign-in')
}

/** Reads the address of an ID token, whose signature needs no check: it came from the provider itself (OpenID Connect Core 3.1.3.7). */
function addressOf(idToken: unknown): string | undefined {
  const [, payload = ''] = typeof idToken === 'string' ? idToken.split('.') : []
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>
    const address = claims['email'] ?? claims['preferred_username']
    return typeof address === 'string' && address.includes('@') ? address : undefined
  } catch {
    return undefined
  }
}
