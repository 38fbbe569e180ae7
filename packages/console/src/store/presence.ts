import type { LiveEvent, Presence } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import type { Crm } from '../api/crm.ts'

type DataOf<T extends LiveEvent['event']> = Extract<LiveEvent, { event: T }>['data']

/** The people at a conversation besides the signed-in user. */
export interface AtConversation {
  readonly colleagues: readonly Presence[]
  /** The customer types at this moment; null: nobody. `name` is null where it is not known. */
  readonly typing: { readonly name: string | null } | null
}

const nobody: AtConversation = { colleagues: [], typing: null }
/** Milliseconds after which a sign of typing that is not repeated is over (contract of `typing`). */
const typingMs = 6_000

/** The people at each conversation, from live events, and the reports of this tab. */
export class PresenceStore {
  readonly #crm: Crm
  readonly #myId: string
  readonly #at = new Map<string, Signal<AtConversation>>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** Own reports that hold, by conversation. */
  readonly #own = new Map<string, 'viewing' | 'replying'>()
  /** The conversations with a report on its way; true: it must be followed by another one. */
  readonly #sending = new Map<string, boolean>()
  /** How far this person has read where no report has said so yet. */
  readonly #readSeq = new Map<string, number>()
  #isInterrupted = false

  constructor(crm: Crm, myId: string) {
    this.#crm = crm
    this.#myId = myId
  }

  at(conversationId: string): Signal<AtConversation> {
    let found = this.#at.get(conversationId)
    if (found === undefined) {
      found = signal(nobody)
      this.#at.set(conversationId, found)
    }
    return found
  }

  /** Reports what the signed-in user does here. One request for each change: the service keeps it while the stream is open. */
  report(conversationId: string, state: 'viewing' | 'replying' | 'none'): void {
    // Of a conversation that was only passed by nothing was reported.
    if (state === 'none' && !this.#own.delete(conversationId)) return
    if (state !== 'none') this.#own.set(conversationId, state)
    this.#sendSoon(conversationId)
  }

  /** Marks as read with the next report; where this person is reported already, with one of its own. */
  read(conversationId: string, seq: number): void {
    this.#readSeq.set(conversationId, seq)
    if (this.#own.has(conversationId)) this.#sendSoon(conversationId)
  }

  #sendSoon(conversationId: string): void {
    if (this.#sending.has(conversationId)) this.#sending.set(conversationId, true)
    else void this.#send(conversationId)
  }

  takePresent({ conversationId, present }: DataOf<'presence.changed'>): void {
    const colleagues = present.filter(({ user }) => user._id !== this.#myId)
    this.#change(conversationId, { colleagues })
  }

  takeTyping({ conversationId, isTyping, by }: DataOf<'typing'>): void {
    clearTimeout(this.#timers.get(conversationId))
    this.#change(conversationId, { typing: isTyping ? { name: by.name } : null })
    if (isTyping)
      this.#timers.set(
        conversationId,
        setTimeout(() => this.#change(conversationId, { typing: null }), typingMs),
      )
  }

  /** Forgets everybody: a new stream reports all who are there. */
  interrupt(): void {
    this.#isInterrupted = true
    for (const at of this.#at.values()) at.value = nobody
  }

  /** Reports again after an interruption: a service that has restarted knows nobody. */
  resume(): void {
    if (!this.#isInterrupted) return
    this.#isInterrupted = false
    for (const [conversationId, state] of this.#own) this.report(conversationId, state)
  }

  /** Sends one report at a time: two on the way could arrive in the wrong order, and the older one would hold. */
  async #send(conversationId: string): Promise<void> {
    do {
      this.#sending.set(conversationId, false)
      const state = this.#own.get(conversationId) ?? ('none' as const)
      const readSeq = this.#readSeq.get(conversationId)
      this.#readSeq.delete(conversationId)
      const body = { state, ...(readSeq !== undefined && { readSeq }) }
      // Without a connection nobody sees it anyway, and the next report says how far this person has read.
      await this.#crm.conversations.setPresence(conversationId, body).catch(() => {
        if (readSeq !== undefined && !this.#readSeq.has(conversationId))
          this.#readSeq.set(conversationId, readSeq)
      })
    } while (this.#sending.get(conversationId))
    this.#sending.delete(conversationId)
  }

  #change(conversationId: string, change: Partial<AtConversation>): void {
    const at = this.at(conversationId)
    at.value = { ...at.peek(), ...change }
  }
}
