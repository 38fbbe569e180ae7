import type { Clock } from '../../ports/clock.ts'
import { SourceFailure, type SourceTokens } from '../../ports/connector.ts'
import type {
  ConnectorHosts,
  ConnectorHttp,
  ConnectorSettings,
  SourceResponse,
} from '../../ports/connector-http.ts'

export interface ZohoParts {
  http: ConnectorHttp
  hosts: ConnectorHosts
  clock: Clock
  settings: ConnectorSettings['zoho']
}

interface TokenCall {
  tenantId: string
  accountsServer: string
  signal: AbortSignal
  form: Readonly<Record<string, string>>
}

const tooManyRefreshesMs = 10 * 60_000

/** Returns the tokens after a refresh. Zoho sends no new refresh token with it. */
export async function refreshedTokens(
  parts: ZohoParts,
  current: SourceTokens,
  call: Omit<TokenCall, 'form'>,
): Promise<SourceTokens> {
  const { refreshToken } = current
  if (refreshToken === null) throw new SourceFailure('auth', 'The credentials hold no refresh token')
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...clientOf(parts, call, current) }
  const reply = await callTokenEndpoint(parts, { ...call, form })
  return { ...current, ...accessOf(reply, parts.clock) }
}

/** Posts a form to the token endpoint. It reports some errors with 200. */
export async function callTokenEndpoint(
  { http, hosts, clock }: ZohoParts,
  { tenantId, accountsServer, signal, form }: TokenCall,
): Promise<Readonly<Record<string, unknown>>> {
  if (!hosts.isAllowed(accountsServer, { provider: 'zoho', server: 'accounts' })) {
    throw new SourceFailure('fatal', 'The accounts server is not an allowed address')
  }
  const response = await http.send({
    tenantId,
    method: 'POST',
    url: `${accountsServer}/oauth/v2/token`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    signal,
  })
  const reply = (response.json ?? {}) as Readonly<Record<string, unknown>>
  if (typeof reply['access_token'] === 'string') return reply
  throw failureOfTokens(response, reply, clock)
}

function failureOfTokens(
  { status, retryAfterMs }: SourceResponse,
  { error, error_description: description }: Readonly<Record<string, unknown>>,
  clock: Clock,
): SourceFailure {
  const isTooMany = status === 429 || /too many requests/i.test(String(description ?? ''))
  if (isTooMany || error === 'access_denied') {
    const retryAt = new Date(clock.nowMs() + (retryAfterMs ?? tooManyRefreshesMs)).toISOString()
    return new SourceFailure('rate', 'Too many token refreshes', retryAt)
  }
  if (status >= 500 || error === undefined) {
    return new SourceFailure('transient', `The token endpoint responded with status ${status}`)
  }
  return new SourceFailure('auth', 'The credentials were refused')
}

/** The client of the stored credentials, or the one of the service, whose secret may differ per data centre. */
export function clientOf(
  { settings }: Pick<ZohoParts, 'settings'>,
  { accountsServer }: { accountsServer: string },
  { clientId, clientSecret }: Pick<SourceTokens, 'clientId' | 'clientSecret'>,
): { client_id: string; client_secret: string } {
  const centre = Object.keys(settings.clientSecrets).find((end) =>
    // bounded: built of the operator's settings, for one name of a host.
    new URL(accountsServer).hostname.match(new RegExp(`\\.zoho(cloud)?\\.${end.replace('.', '\\.')}$`)),
  )
  const own = centre === undefined ? undefined : settings.clientSecrets[centre]
  return {
    client_id: clientId ?? settings.clientId ?? '',
    client_secret: clientSecret ?? own ?? settings.clientSecret ?? '',
  }
}

export function accessOf(
  reply: Readonly<Record<string, unknown>>,
  clock: Clock,
): Pick<SourceTokens, 'accessToken' | 'accessTokenExpiresAt' | 'lifetimeSeconds'> {
  const seconds = Number(reply['expires_in'])
  const lifetimeSeconds = Number.isFinite(seconds) && seconds > 0 ? seconds : 3600
  return {
    accessToken: String(reply['access_token']),
    accessTokenExpiresAt: new Date(clock.nowMs() + lifetimeSeconds * 1000).toISOString(),
    lifetimeSeconds,
  }
}
