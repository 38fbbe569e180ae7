import type { Clock } from '../../ports/clock.ts'
import {
  type SourceAccount,
  SourceFailure,
  type SourceTokens,
  type TokenKeeper,
} from '../../ports/connector.ts'
import type { SourceHosts, SourceHttp, SourceResponse, SourceSettings } from '../../ports/source-http.ts'
import { validTokens } from '../../sources/valid-tokens.ts'

/** Every path is of this version: the unversioned ones end in 2027. */
export const apiVersion = '2026-03'

export type Json = Readonly<Record<string, unknown>>

export interface HubspotParts {
  http: SourceHttp
  hosts: SourceHosts
  clock: Clock
  settings: SourceSettings['hubspot']
}

export interface HubspotRequest {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | null | undefined>>
  /** Makes the request a POST. */
  readonly body?: object
  readonly signal: AbortSignal
}

export type HubspotResponse = SourceResponse & { readonly json: Json }

const lifetimeSecondsDefault = 1_800

/** The API of one portal at HubSpot. */
export class HubspotClient {
  readonly #parts: HubspotParts
  readonly #account: SourceAccount
  readonly #tokens: TokenKeeper
  readonly #apiDomain: string

  constructor(parts: HubspotParts, account: SourceAccount) {
    const { tokens, apiDomain } = account
    if (tokens === null || apiDomain === null)
      throw new TypeError('An account at HubSpot has tokens and a domain')
    this.#parts = parts
    this.#account = account
    this.#tokens = tokens
    this.#apiDomain = apiDomain
  }

  async send(request: HubspotRequest): Promise<HubspotResponse> {
    const refresh = (current: SourceTokens) => this.#refresh(current, request.signal)
    const nowMs = this.#parts.clock.nowMs()
    const tokens = await validTokens({ tokens: this.#tokens, nowMs, refresh })
    const first = await this.#exchange(request, tokens)
    // A service key cannot be refreshed.
    if (first.status !== 401 || tokens.refreshToken === null) return this.#checked(first)
    return this.#checked(await this.#exchange(request, await this.#tokens.replace(tokens, refresh)))
  }

  #exchange(
    { path, query = {}, body, signal }: HubspotRequest,
    tokens: SourceTokens,
  ): Promise<SourceResponse> {
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    )
    const search = new URLSearchParams(given).toString()
    const Authorization = `Bearer ${tokens.accessToken}`
    const request = {
      tenantId: this.#account.tenantId,
      url: `${this.#origin()}${path}${search && `?${search}`}`,
      signal,
    }
    if (body === undefined)
      return this.#parts.http.send({ ...request, method: 'GET', headers: { Authorization } })
    const headers = { Authorization, 'Content-Type': 'application/json' }
    return this.#parts.http.send({ ...request, method: 'POST', headers, body: JSON.stringify(body) })
  }

  #origin(): string {
    if (!this.#parts.hosts.isAllowed(this.#apiDomain, { provider: 'hubspot', server: 'api' })) {
      throw new SourceFailure('fatal', 'The API domain is not an allowed address')
    }
    return this.#apiDomain
  }

  async #refresh(current: SourceTokens, signal: AbortSignal): Promise<SourceTokens> {
    const { refreshToken } = current
    if (refreshToken === null) throw new SourceFailure('auth', 'The credentials hold no refresh token')
    const { settings, http, clock } = this.#parts
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: current.clientId ?? settings.clientId ?? '',
      client_secret: current.clientSecret ?? settings.clientSecret ?? '',
    })
    const response = await http.send({
      tenantId: this.#account.tenantId,
      method: 'POST',
      url: `${this.#origin()}/oauth/${apiVersion}/token`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      signal,
    })
    if (response.status !== 200) throw this.#failureOf(response, 'auth')
    const reply = response.json as Json
    if (typeof reply?.['access_token'] !== 'string')
      throw new SourceFailure('transient', 'The source sent no token')
    const lifetimeSeconds = Number(reply['expires_in']) || lifetimeSecondsDefault
    return {
      ...current,
      accessToken: reply['access_token'],
      refreshToken: typeof reply['refresh_token'] === 'string' ? reply['refresh_token'] : refreshToken,
      accessTokenExpiresAt: new Date(clock.nowMs() + lifetimeSeconds * 1000).toISOString(),
      lifetimeSeconds,
    }
  }

  #checked(response: SourceResponse): HubspotResponse {
    const { status, json } = response
    // 207: some ids of a batch were not found.
    const isGood = (status === 200 || status === 207) && typeof json === 'object' && json !== null
    if (isGood) return { ...response, json: json as Json }
    throw this.#failureOf(response, 'fatal')
  }

  #failureOf({ status, json, retryAfterMs }: SourceResponse, of4xx: 'auth' | 'fatal'): SourceFailure {
    const words = `The source responded with ${status}`
    const nowMs = this.#parts.clock.nowMs()
    if (status === 429) {
      const policy = String((json as Json | undefined)?.['policyName'] ?? '')
      if (/daily/i.test(policy)) return new SourceFailure('quota', words, nextMidnight(nowMs))
      const retryAt = retryAfterMs === null ? null : new Date(nowMs + retryAfterMs).toISOString()
      return new SourceFailure('rate', words, retryAt)
    }
    if (status === 401) return new SourceFailure('auth', words)
    if (status === 403) return new SourceFailure('forbidden', words)
    if (status >= 400 && status < 500) return new SourceFailure(of4xx, words)
    return new SourceFailure('transient', words)
  }
}

/** The daily quota begins again at midnight of the portal's zone; by UTC it is at most a day away. */
function nextMidnight(nowMs: number): string {
  const day = 86_400_000
  return new Date((Math.floor(nowMs / day) + 1) * day).toISOString()
}
