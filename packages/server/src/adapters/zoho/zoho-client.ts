import { passingStatuses } from '../../connectors/passing-statuses.ts'
import { validTokens } from '../../connectors/valid-tokens.ts'
import {
  type SourceAccount,
  SourceFailure,
  type SourceTokens,
  type TokenKeeper,
} from '../../ports/connector.ts'
import type { SourceResponse } from '../../ports/connector-http.ts'
import { refreshedTokens, type ZohoParts } from './zoho-tokens.ts'

export type Json = Readonly<Record<string, unknown>>

export interface ZohoRequest {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | null | undefined>>
  /** Rows that changed at or after this moment. */
  readonly modifiedSince?: string | null
  readonly signal: AbortSignal
}

const quotaPattern = /credit|24 hour/i
const quotaPauseMs = 3_600_000
/** A refresh mends these; the second one was seen on tokens that a refresh mends too. */
const tokenCodes = new Set(['INVALID_TOKEN', 'AUTHENTICATION_FAILURE'])
/** Of the error codes of records (OpenAPI files of v8), those that are about a module as such; the last one is of Zoho's page of codes. */
const forbiddenCodes = new Set([
  'FEATURE_NOT_SUPPORTED',
  'NO_PERMISSION',
  'NOT_SUPPORTED',
  'OAUTH_SCOPE_MISMATCH',
  'INVALID_MODULE',
  'AUTHORIZATION_FAILED',
])

/** The API of one account at Zoho. */
export class ZohoClient {
  readonly #parts: ZohoParts
  readonly #account: SourceAccount
  readonly #tokens: TokenKeeper
  readonly #apiDomain: string

  constructor(parts: ZohoParts, account: SourceAccount) {
    const { tokens, apiDomain } = account
    if (tokens === null || apiDomain === null)
      throw new TypeError('An account at Zoho has tokens and a domain')
    this.#parts = parts
    this.#account = account
    this.#tokens = tokens
    this.#apiDomain = apiDomain
  }

  /** Returns the response of a 200, 204 or 304. Refreshes the token once when it is refused. */
  async get(request: ZohoRequest): Promise<SourceResponse & { json: Json | undefined }> {
    if (!this.#parts.hosts.isAllowed(this.#apiDomain, { provider: 'zoho', server: 'api' })) {
      throw new SourceFailure('fatal', 'The API domain is not an allowed address')
    }
    const refresh = (current: SourceTokens) => this.#refresh(current, request.signal)
    const nowMs = this.#parts.clock.nowMs()
    const tokens = await validTokens({ tokens: this.#tokens, nowMs, refresh })
    const first = await this.#send(request, tokens)
    if (first.status !== 401 || !tokenCodes.has(codeOf(first))) return this.#checked(first)
    const second = await this.#send(request, await this.#tokens.replace(tokens, refresh))
    return this.#checked(second)
  }

  #refresh(current: SourceTokens, signal: AbortSignal): Promise<SourceTokens> {
    const { tenantId, accountsServer } = this.#account
    if (accountsServer === null) throw new SourceFailure('auth', 'The integration has no accounts server')
    return refreshedTokens(this.#parts, current, { tenantId, accountsServer, signal })
  }

  #send(
    { path, query = {}, modifiedSince, signal }: ZohoRequest,
    tokens: SourceTokens,
  ): Promise<SourceResponse> {
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    )
    const search = new URLSearchParams(given).toString()
    return this.#parts.http.send({
      tenantId: this.#account.tenantId,
      method: 'GET',
      url: `${this.#apiDomain}${path}${search === '' ? '' : `?${search}`}`,
      headers: {
        Authorization: `Zoho-oauthtoken ${tokens.accessToken}`,
        ...(modifiedSince && { 'If-Modified-Since': modifiedSince.replace(/\.\d+Z$/, '+00:00') }),
      },
      signal,
    })
  }

  #checked(response: SourceResponse): SourceResponse & { json: Json | undefined } {
    const { status, json } = response
    if (status === 204 || status === 304) return { ...response, json: undefined }
    if (status === 200 && typeof json === 'object' && json !== null)
      return { ...response, json: json as Json }
    throw this.#failureOf(response)
  }

  #failureOf(response: SourceResponse): SourceFailure {
    const { status } = response
    const code = codeOf(response)
    const words = `The source responded with ${status}${/^[A-Z_]{1,60}$/.test(code) ? ` ${code}` : ''}`
    if (status === 429) return this.#limitOf(response, words)
    if (forbiddenCodes.has(code) || status === 403) return new SourceFailure('forbidden', words)
    if (passingStatuses.has(status)) return new SourceFailure('transient', words)
    if (status === 401) return new SourceFailure('auth', words)
    if (status >= 400 && status < 500) return new SourceFailure('fatal', words)
    return new SourceFailure('transient', words)
  }

  #limitOf({ json, retryAfterMs }: SourceResponse, words: string): SourceFailure {
    const nowMs = this.#parts.clock.nowMs()
    const at = (ms: number) => new Date(nowMs + ms).toISOString()
    if (quotaPattern.test(String((json as Json | undefined)?.['message'] ?? ''))) {
      return new SourceFailure('quota', words, at(retryAfterMs ?? quotaPauseMs))
    }
    return new SourceFailure('rate', words, retryAfterMs === null ? null : at(retryAfterMs))
  }
}

function codeOf({ json }: SourceResponse): string {
  return String((json as Json | null | undefined)?.['code'] ?? '')
}
