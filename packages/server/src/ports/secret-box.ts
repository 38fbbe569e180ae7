/** Encryption of secrets at rest. */
export interface SecretBox {
  /** The ids of the keys of the ring; the first one seals. Every sealed text names its key. */
  readonly keyIds: readonly string[]
  /** Encrypts a text, which can then be opened only with the same context (tenant and record id). */
  seal(plain: string, context: SecretContext): string
  /** Throws when the text was changed, moved to another record, or sealed with a key that is no longer in the ring. */
  open(sealed: string, context: SecretContext): string
}

export interface SecretContext {
  tenantId: string
  id: string
}
