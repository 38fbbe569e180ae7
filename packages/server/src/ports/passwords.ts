export interface Passwords {
  /**
   * Hashes a password once, with the salt of these hashes (a new one without any), and compares the result with each of
   * them: the work is the same for no hash and for four, so that an unknown e-mail takes as long as a known one. Throws
   * SERVICE_UNAVAILABLE when too many passwords wait.
   */
  compare(password: string, hashes: readonly string[], caller: HashCaller): Promise<ComparedPassword>
}

/** Decides which of the waiting passwords is hashed next. */
export interface HashCaller {
  address: string
  /** Whether an identity of the account has signed in at the address before, or the caller is signed in. */
  isKnown: boolean
}

export interface ComparedPassword {
  /** The hash of the password, with the salt of the hashes. */
  hash: string
  /** Whether each of the hashes is one of this password. */
  isRight: readonly boolean[]
}
