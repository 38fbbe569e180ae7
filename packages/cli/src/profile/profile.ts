import { usageError } from '../cli-error.ts'

/** A signed-in user. A refresh token works once, so its user must store the successor. */
export interface StoredSession {
  readonly accessToken: string
  readonly refreshToken: string
  /** The end of the access token, by the clock of this machine. */
  readonly expiresAt: string
}

export interface Profile {
  readonly baseUrl: string
  readonly email?: string
  readonly tenantName?: string
  readonly session?: StoredSession
  readonly apiKey?: string
  /** The kind of a credential that is, or will be, in the system keyring. */
  readonly keyring?: 'session' | 'apiKey' | undefined
}

/** The kind of the credential of a profile, in the file or in the keyring. */
export function credentialKind({ keyring, session, apiKey }: Profile): 'session' | 'apiKey' | undefined {
  return keyring ?? (session ? 'session' : apiKey ? 'apiKey' : undefined)
}

export interface ProfileFile {
  readonly version: 1
  /** The profile for commands that name none. */
  readonly current: string
  readonly profiles: Readonly<Record<string, Profile>>
}

export const defaultProfileName = 'default'

/** Allows letters, digits, `.`, `_` and `-`, because the name is part of a file name. */
export function assertProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name
  throw usageError(
    'A profile name is 1 to 64 letters, digits, ".", "_" or "-", and starts with a letter or digit.',
  )
}

/** Normalises the address of a server: no trailing slash, query or hash. */
export function normalBaseUrl(text: string): string {
  const url = URL.parse(text.trim())
  const isUsable =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  if (!isUsable)
    throw usageError('The base URL must be like https://crm.example.com, without credentials or a query.')
  // bounded: an address of the person's own.
  return url.origin + url.pathname.replace(/\/+$/, '')
}
