import { type Draft, emptyDraft } from './draft.ts'

/** A draft that the service has not got yet, with the version that it was written upon. */
export interface UnsavedDraft {
  readonly draft: Draft
  readonly version: number
}

export function draftPrefix(userId: string): string {
  return `crm-console-draft:${userId}:`
}

/** The drafts of this person that only this browser has: without a connection, a reload loses none. */
export class DraftNet {
  readonly #prefix: string

  constructor(userId: string) {
    this.#prefix = draftPrefix(userId)
  }

  get(conversationId: string): UnsavedDraft | undefined {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.#prefix + conversationId) ?? 'null')
      // A version before this one knew fewer fields.
      return isUnsaved(stored) ? { ...stored, draft: { ...emptyDraft, ...stored.draft } } : undefined
    } catch {
      return undefined
    }
  }

  put(conversationId: string, unsaved: UnsavedDraft): void {
    try {
      localStorage.setItem(this.#prefix + conversationId, JSON.stringify(unsaved))
    } catch {
      // Without storage the tab and the service keep it.
    }
  }

  remove(conversationId: string): void {
    if (typeof localStorage !== 'undefined') localStorage.removeItem(this.#prefix + conversationId)
  }

  /** Deletes all, so that the next person at this browser finds none. */
  clear(): void {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(this.#prefix)) localStorage.removeItem(key)
  }
}

function isUnsaved(value: unknown): value is UnsavedDraft {
  if (typeof value !== 'object' || value === null) return false
  const { draft, version } = value as Partial<UnsavedDraft>
  if (typeof draft !== 'object' || draft === null || typeof version !== 'number') return false
  const { type, content, attachments } = draft
  return (type === 'reply' || type === 'note') && typeof content === 'string' && Array.isArray(attachments)
}
