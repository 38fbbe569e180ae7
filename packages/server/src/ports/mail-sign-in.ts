import type { MailProvider } from '@crmkit/core'

/**
 * The sign-ins of people at the providers of their mailboxes (OAuth 2, authorization code). Every request throws a
 * `SourceFailure`: `auth` when the provider refuses the code or the grant, else one that may succeed later.
 */
export interface MailSignIns {
  /** Undefined: the operator has set no client id. */
  authorizationUrl(of: { provider: MailProvider; state: string; redirectUri: string }): string | undefined
  /** Origin of the server that takes the code. */
  accountsServerOf(provider: MailProvider): string
  exchange(code: MailCode): Promise<MailAccess & { refreshToken: string; address: string }>
  refresh(grant: MailGrantRequest): Promise<MailAccess>
  /** Ends the grant, where the provider has a way to. */
  revoke(grant: MailGrantRequest): Promise<void>
  /** Returns where the servers of all providers are instead, for an emulator; undefined: at their own names. */
  placeOf(server: 'imap' | 'smtp'): { host: string; port: number } | undefined
}

export interface MailCode {
  readonly provider: MailProvider
  readonly tenantId: string
  readonly code: string
  readonly redirectUri: string
  readonly signal: AbortSignal
}

export interface MailGrantRequest {
  readonly provider: MailProvider
  readonly tenantId: string
  readonly refreshToken: string
  readonly signal: AbortSignal
}

export interface MailAccess {
  readonly accessToken: string
  readonly expiresAtMs: number
  /** The next refresh token; undefined: the one before stays. */
  readonly refreshToken?: string | undefined
}

/** Settings of the service as an app of the providers of mailboxes. */
export interface MailSignInSettings {
  readonly google: { readonly clientId: string | null; readonly clientSecret: string | null }
  readonly microsoft: {
    readonly clientId: string | null
    readonly clientSecret: string | null
    /** Directory whose people may sign in: an id, a domain, `common` or `organizations`. */
    readonly tenant: string
  }
  /** `host:port` of an emulator, compared exactly. */
  readonly hosts: Readonly<Partial<Record<'accounts' | 'imap' | 'smtp', string>>>
}
