import type { SourceTokens } from './connector.ts'

/** The sign-in of a person at an external CRM (OAuth 2, authorization code). */
export interface SourceSignIn {
  /** Undefined: the operator has set no client id. */
  authorizationUrl(of: { state: string; redirectUri: string }): string | undefined
  /** Throws a `SourceFailure`: `auth` when the code is refused, `fatal` when an address of the reply is not allowed. */
  exchange(code: ReceivedCode): Promise<GrantedAccess>
  /** Makes the tokens invalid at the vendor. Throws a `SourceFailure`. */
  revoke(of: {
    tenantId: string
    accountsServer: string
    tokens: SourceTokens
    signal: AbortSignal
  }): Promise<void>
}

export interface ReceivedCode {
  readonly tenantId: string
  readonly code: string
  readonly redirectUri: string
  /** Origin of the token endpoint, which `SourceHosts` allows. */
  readonly accountsServer: string
  readonly signal: AbortSignal
}

export interface GrantedAccess {
  readonly tokens: SourceTokens
  readonly apiDomain: string
}
