import { usageError } from '../cli-error.ts'

/** A signed-in person. A refresh token works once, so whoever uses it must write its successor back. */
export interface StoredSession {
  readonly accessToken: string
  readonly refreshToken: string
  /** When the access token ends, by this machine's clock. */
  readonly expiresAt: string
}

export interface Profile {
  readonly baseUrl: string
  readonly email?: string
  readonly tenantName?: string
  readonly session?: StoredSession
  readonly apiKey?: string
  /** The credential is of this kind and in the system keyring, or is to go there. */
  readonly keyring?: 'session' | 'apiKey' | undefined
}

/** The kind of the credential that a profile has, wherever it is kept. */
export function credentialKind({ keyring, session, apiKey }: Profile): 'session' | 'apiKey' | undefined {
  return keyring ?? (session ? 'session' : apiKey ? 'apiKey' : undefined)
}

export interface ProfileFile {
  readonly version: 1
  /** The profile that is used when none is named. */
  readonly current: string
  readonly profiles: Readonly<Record<string, Profile>>
}

export const defaultProfileName = 'default'

/** Letters, digits, `.`, `_` and `-`; the name is also part of a file name. */
export function assertProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name
  throw usageError(
    'A profile name is 1 to 64 letters, digits, ".", "_" or "-", and starts with a letter or digit.',
  )
}

/** A server's address in one spelling: no path end, query or hash. */
export function normalBaseUrl(text: string): string {
  const url = URL.parse(text.trim())
  const isUsable =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  if (!isUsable)
    throw usageError('The base URL must be like https://crm.example.com, without credentials or a query.')
  return url.origin + url.pathname.replace(/\/+$/, '')
}
