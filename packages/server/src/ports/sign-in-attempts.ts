import type { HashCaller } from './passwords.ts'

export interface SignInAttempts {
  /**
   * Counts an attempt as failed, calls `verify`, and withdraws the attempt when it was right. Throws RATE_LIMIT_EXCEEDED
   * without calling `verify` while the account has to wait after too many failures: at this address, at the networks
   * around it, or at all addresses. The last two limits do not apply to identities that have signed in at this address
   * before; then only such identities are tried.
   */
  make(who: SignInAttempt, verify: VerifyAttempt): Promise<void>
}

export interface SignInAttempt {
  /** A normalised e-mail, known or not. */
  account: string
  address: string
  identityIds: readonly string[]
}

export type VerifyAttempt = (tried: {
  identityIds: readonly string[]
  caller: HashCaller
}) => Promise<{ isFailure: boolean; rightIds: readonly string[] }>
