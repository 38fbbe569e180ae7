import type { Attachment, Choice } from './wire.ts'

/** A message that the server has not confirmed. Its id stays the same in every attempt. */
export interface Unsent {
  clientMessageId: string
  content: string
  attachments: Attachment[]
  createdAt: string
  /** Where it was written; null: it begins a conversation. */
  conversationId: string | null
  /** The offered reply that it stands for. */
  choice?: Choice
  /** The reason of a refusal: only the visitor can send the message again. */
  failure?: string
}

export interface Saved {
  token?: string
  /** The tenant's own id of the person; only in a signed session. */
  subject?: string
  /** The origin of the page that began an anonymous session. */
  origin?: string
  draft?: string
  /** The visitor gave no address: they are not asked again. */
  isEmailSkipped?: boolean
  unsent: Unsent[]
}

/** Everything that the widget stores: one entry of the frame's own storage, shared by the tabs of a browser. */
export class Store {
  readonly #name: string
  #memory: Saved = { unsent: [] }
  #isDenied = false

  constructor(key: string) {
    this.#name = `crm-widget:${key}`
  }

  read(): Saved {
    if (this.#isDenied) return this.#memory
    try {
      const { unsent, ...saved } = JSON.parse(localStorage.getItem(this.#name) ?? '{}')
      return { ...saved, unsent: Array.isArray(unsent) ? unsent : [] }
    } catch {
      // Storage is denied or damaged: the memory serves until the reload.
      return this.#memory
    }
  }

  change(change: (saved: Saved) => void): void {
    const saved = structuredClone(this.read())
    change(saved)
    this.#memory = saved
    try {
      localStorage.setItem(this.#name, JSON.stringify(saved))
    } catch {
      this.#isDenied = true
    }
  }

  clear(): void {
    this.#memory = { unsent: [] }
    try {
      localStorage.removeItem(this.#name)
    } catch {
      this.#isDenied = true
    }
  }

  /** Calls back when another tab has changed the entry. */
  onChange(listener: () => void): void {
    addEventListener('storage', ({ key }) => {
      if (key === this.#name || key === null) listener()
    })
  }

  /** Whether nothing is stored: a log-out in another tab. */
  get isEmpty(): boolean {
    try {
      return localStorage.getItem(this.#name) === null
    } catch {
      return false
    }
  }

  /** One tab at a time makes a session. Without locks (an insecure page, denied storage) two tabs may make two. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    let isStarted = false
    const start = () => {
      isStarted = true
      return work()
    }
    if (!navigator.locks) return start()
    try {
      return await navigator.locks.request(this.#name, start)
    } catch (error) {
      if (isStarted) throw error
      return start()
    }
  }
}
