import { emptyDraft } from './draft.ts'
import type { PendingMessage } from './threads.ts'

export interface Unsent {
  readonly conversationId: string
  readonly message: PendingMessage
}

const keptMs = 30 * 24 * 3_600_000

/**
 * The messages of this person that have left the field and that the service has not confirmed. A reload, a closed tab or the end of
 * a session loses none; a confirmation, the person, a sign-out or 30 days end them.
 */
export class UnsentNet {
  readonly #prefix: string

  constructor(userId: string) {
    this.#prefix = `crm-console-unsent:${userId}:`
  }

  /** Oldest first. */
  all(): Unsent[] {
    return this.#keys()
      .flatMap((key) => this.#read(key) ?? [])
      .sort((a, b) => Date.parse(a.message.createdAt) - Date.parse(b.message.createdAt))
  }

  put(conversationId: string, message: PendingMessage): void {
    const unsent: Unsent = { conversationId, message }
    try {
      localStorage.setItem(this.#prefix + message.clientMessageId, JSON.stringify(unsent))
    } catch {
      // Without storage the tab alone keeps it.
    }
  }

  remove(clientMessageId: string): void {
    if (typeof localStorage !== 'undefined') localStorage.removeItem(this.#prefix + clientMessageId)
  }

  clear(): void {
    for (const key of this.#keys()) localStorage.removeItem(key)
  }

  #keys(): string[] {
    // The store also runs outside of a browser, in tests.
    if (typeof localStorage === 'undefined') return []
    return Object.keys(localStorage).filter((key) => key.startsWith(this.#prefix))
  }

  #read(key: string): Unsent | undefined {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
      if (!isUnsent(stored)) return undefined
      // A version before this one knew fewer fields.
      const message = { ...emptyDraft, ...stored.message }
      if (Date.now() - Date.parse(message.createdAt) < keptMs) return { ...stored, message }
      localStorage.removeItem(key)
    } catch {
      // Of another version: it is left where it is.
    }
    return undefined
  }
}

function isUnsent(value: unknown): value is Unsent {
  if (typeof value !== 'object' || value === null) return false
  const { conversationId, message } = value as Partial<Unsent>
  if (typeof conversationId !== 'string' || typeof message !== 'object' || message === null) return false
  const { clientMessageId, createdAt, content, ifSeq, state } = message
  return [clientMessageId, createdAt, content, state].every(isText) && typeof ifSeq === 'number'
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
