import { CrmError } from './errors.ts'

/** The source of the bearer token, and its renewal. */
export interface Credentials {
  /** The bearer token; undefined when there is none. */
  token(): Promise<string | undefined>
  /**
   * Gets another token after the service refused `refused` with 401.
   * Absent when the credential cannot be renewed.
   */
  renew?(refused: string | undefined): Promise<void>
}

export type TokenSource = string | (() => string | Promise<string>)

export function fixedCredentials(source: TokenSource | undefined): Credentials {
  if (typeof source === 'string') assertToken(source)
  return {
    async token() {
      const token = typeof source === 'function' ? await source() : source
      if (token !== undefined) assertToken(token)
      return token
    },
  }
}

/** Throws before `fetch` would: its message for an invalid header repeats the whole value. */
function assertToken(token: unknown): void {
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new CrmError('A credential must be visible ASCII without blanks or line ends; is it empty or cut?')
  }
}
