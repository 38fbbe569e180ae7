import { passingStatuses } from '../../connectors/passing-statuses.ts'
import type { Clock } from '../../ports/clock.ts'
import { SourceFailure, type SourceTokens } from '../../ports/connector.ts'
import type {
  ConnectorHosts,
  ConnectorHttp,
  ConnectorSettings,
  SourceResponse,
} from '../../ports/connector-http.ts'

/** Every path is of this version: the unversioned ones end in 2027. */
export const apiVersion = '2026-03'

export type Json = Readonly<Record<string, unknown>>

export interface HubspotParts {
  http: ConnectorHttp
  hosts: ConnectorHosts
  clock: Clock
  settings: ConnectorSettings['hubspot']
}

export interface TokenForm {
  readonly tenantId: string
  readonly origin: string
  readonly form: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const lifetimeSecondsDefault = 1_800

/** Throws a `fatal` `SourceFailure` for an address that requests may not go to. */
export function assertAllowed({ hosts }: Pick<HubspotParts, 'hosts'>, origin: string): void {
  if (hosts.isAllowed(origin, { provider: 'hubspot', server: 'api' })) return
  throw new SourceFailure('fatal', 'The API domain is not an allowed address')
}

/** Posts a form to the token endpoint, or to a path below it. */
export function sendTokenForm(
  parts: HubspotParts,
  { tenantId, origin, form, signal }: TokenForm,
  path = '',
): Promise<SourceResponse> {
  assertAllowed(parts, origin)
  return parts.http.send({
    tenantId,
    method: 'POST',
    url: `${origin}/oauth/${apiVersion}/token${path}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    signal,
  })
}

/** The client of the stored credentials, or the one of the service. */
export function clientOf(
  { settings }: Pick<HubspotParts, 'settings'>,
  { clientId, clientSecret }: Pick<SourceTokens, 'clientId' | 'clientSecret'>,
): { client_id: string; client_secret: string } {
  return {
    client_id: clientId ?? settings.clientId ?? '',
    client_secret: clientSecret ?? settings.clientSecret ?? '',
  }
}

/** Returns the tokens of the response. HubSpot may replace the refresh token. */
export function grantedTokens(
  parts: HubspotParts,
  current: SourceTokens,
  response: SourceResponse,
): SourceTokens {
  if (response.status !== 200) throw failureOf(parts, response, { of4xx: 'auth' })
  const reply = (response.json ?? {}) as Json
  if (typeof reply['access_token'] !== 'string')
    throw new SourceFailure('transient', 'The source sent no token')
  const lifetimeSeconds = Number(reply['expires_in']) || lifetimeSecondsDefault
  return {
    ...current,
    accessToken: reply['access_token'],
    refreshToken: typeof reply['refresh_token'] === 'string' ? reply['refresh_token'] : current.refreshToken,
    accessTokenExpiresAt: new Date(parts.clock.nowMs() + lifetimeSeconds * 1000).toISOString(),
    lifetimeSeconds,
  }
}

const movingMs = 3_600_000

export function failureOf(
  { clock }: Pick<HubspotParts, 'clock'>,
  { status, json, retryAfterMs }: SourceResponse,
  { of4xx, timeZone = null }: { of4xx: 'auth' | 'fatal'; timeZone?: string | null },
): SourceFailure {
  const words = `The source responded with ${status}`
  const nowMs = clock.nowMs()
  if (status === 429) {
    const policy = String((json as Json | undefined)?.['policyName'] ?? '')
    if (/daily/i.test(policy)) return new SourceFailure('quota', words, nextMidnight(nowMs, timeZone))
    const retryAt = retryAfterMs === null ? null : new Date(nowMs + retryAfterMs).toISOString()
    return new SourceFailure('rate', words, retryAt)
  }
  // The account moves to another data centre of HubSpot, which takes up to a day.
  if (status === 477) {
    const waitMs = retryAfterMs ?? movingMs
    return new SourceFailure('rate', words, new Date(nowMs + waitMs).toISOString())
  }
  if (passingStatuses.has(status)) return new SourceFailure('transient', words)
  if (status === 401) return new SourceFailure('auth', words)
  if (status === 403) return new SourceFailure('forbidden', words)
  if (status >= 400 && status < 500) return new SourceFailure(of4xx, words)
  return new SourceFailure('transient', words)
}

const minuteMs = 60_000
const minutesPerDay = 1_440

/**
 * The daily quota begins again at midnight of the portal's zone. On a day when clocks change this is an hour off: a
 * refusal that comes early leads to the next midnight.
 */
function nextMidnight(nowMs: number, timeZone: string | null): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timeZone ?? 'UTC',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, Number(value)]))
  const minutes = (parts.get('hour') ?? 0) * 60 + (parts.get('minute') ?? 0)
  const thisMinuteMs = Math.floor(nowMs / minuteMs) * minuteMs
  return new Date(thisMinuteMs + (minutesPerDay - minutes) * minuteMs).toISOString()
}
