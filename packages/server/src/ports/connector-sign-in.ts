import type { SourceTokens } from './connector.ts'

/** The sign-in of a person at an external CRM (OAuth 2, authorization code). */
export interface ConnectorSignIns {
  /** Undefined: the operator has set no client id. */
  authorizationUrl(of: { state: string; redirectUri: string }): string | undefined
  /**
   * The token endpoint that a callback names, or the default one where it names none. Undefined when requests may not go
   * to the named one.
   */
  accountsServerOf(callback: URLSearchParams): string | undefined
  /** Throws a `SourceFailure`: `auth` when the code is refused, `fatal` when an address of the reply is not allowed. */
  exchange(code: ReceivedCode): Promise<GrantedAccess>
  /** Makes the tokens invalid at the vendor. Throws a `SourceFailure`. */
  revoke(grant: StoredGrant): Promise<void>
}

export interface ReceivedCode {
  readonly tenantId: string
  readonly code: string
  readonly redirectUri: string
  /** Origin of the token endpoint, which `ConnectorHosts` allows. */
  readonly accountsServer: string
  readonly signal: AbortSignal
}

export interface GrantedAccess {
  readonly tokens: SourceTokens
  readonly apiDomain: string
}

export interface StoredGrant {
  readonly tenantId: string
  readonly accountsServer: string
  readonly tokens: SourceTokens
  readonly signal: AbortSignal
}
