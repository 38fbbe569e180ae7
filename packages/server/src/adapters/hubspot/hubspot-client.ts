import { validTokens } from '../../connectors/valid-tokens.ts'
import {
  type SourceAccount,
  SourceFailure,
  type SourceTokens,
  type TokenKeeper,
} from '../../ports/connector.ts'
import type { SourceResponse } from '../../ports/connector-http.ts'
import {
  assertAllowed,
  clientOf,
  failureOf,
  grantedTokens,
  type HubspotParts,
  type Json,
  sendTokenForm,
} from './hubspot-tokens.ts'

export interface HubspotRequest {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | null | undefined>>
  /** Makes the request a POST. */
  readonly body?: object
  readonly signal: AbortSignal
}

export type HubspotResponse = SourceResponse & { readonly json: Json }

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
    assertAllowed(this.#parts, this.#apiDomain)
    return this.#apiDomain
  }

  async #refresh(current: SourceTokens, signal: AbortSignal): Promise<SourceTokens> {
    const { refreshToken } = current
    if (refreshToken === null) throw new SourceFailure('auth', 'The credentials hold no refresh token')
    const client = clientOf(this.#parts, current)
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...client }
    const { tenantId } = this.#account
    const response = await sendTokenForm(this.#parts, { tenantId, origin: this.#apiDomain, form, signal })
    return grantedTokens(this.#parts, current, response)
  }

  #checked(response: SourceResponse): HubspotResponse {
    const { status, json } = response
    // 207: some ids of a batch were not found.
    const isGood = (status === 200 || status === 207) && typeof json === 'object' && json !== null
    if (isGood) return { ...response, json: json as Json }
    throw failureOf(this.#parts, response, { of4xx: 'fatal', timeZone: this.#account.timeZone })
  }
}
