import type { ConnectorProvider } from './connector.ts'

/** Sends the requests of connectors. No other code of the service sends requests to a source. */
export interface ConnectorHttp {
  /**
   * Makes one request, without a redirect and without a retry; 30 s to the last byte, 64 MB. Throws a `transient`
   * `SourceFailure` when no complete response comes, when a redirect comes, and when a 2xx body is not JSON; throws
   * the reason of `signal` when it aborts.
   */
  send(request: SourceRequest): Promise<SourceResponse>
  close(): Promise<void>
}

export interface SourceRequest {
  /** Connections are reused within one tenant only. */
  readonly tenantId: string
  readonly method: 'GET' | 'POST'
  /** An origin that `ConnectorHosts` allows, and the path with its query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The body of the response is a text and no JSON: `json` is that text. */
  readonly asText?: true
  readonly signal: AbortSignal
}

export interface SourceResponse {
  readonly status: number
  /** Undefined for an empty body, and for the body of an error that is not JSON. */
  readonly json: unknown
  /** The clock of the source, ISO; null when it sent none. */
  readonly date: string | null
  /** `Retry-After` of a 429 or 503 in ms. */
  readonly retryAfterMs: number | null
  readonly header: (name: string) => string | null
}

export type RemoteProvider = Exclude<ConnectorProvider, 'file' | 'package'>

/** The addresses that requests to sources may go to. */
export interface ConnectorHosts {
  /**
   * Returns whether this text is an allowed origin and nothing more: another spelling of a host, user information, a
   * path or a port that is not named are not allowed.
   */
  isAllowed(origin: string, of: { provider: RemoteProvider; server: 'api' | 'accounts' }): boolean
  /** Returns whether the operator named the host: it may then have a private address, and speak plain http. */
  isNamed(url: URL): boolean
}

/** Settings of the service as an app of the external CRMs. */
export interface ConnectorSettings {
  readonly zoho: {
    readonly clientId: string | null
    readonly clientSecret: string | null
    /** Secrets of single data centres, by the end of their host: `eu`, `in`, `com.au`. */
    readonly clientSecrets: Readonly<Record<string, string>>
    /** Origin where a sign-in begins. */
    readonly accountsServer: string
  }
  readonly hubspot: {
    readonly clientId: string | null
    readonly clientSecret: string | null
    readonly accountsServer: string
    readonly apiDomain: string
  }
  /** `host:port`, compared exactly. */
  readonly hosts: readonly string[]
  /** Further trusted authorities; for those hosts only. */
  readonly caFile: string | undefined
}
