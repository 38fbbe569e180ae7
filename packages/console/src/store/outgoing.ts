import type { Crm, Draft as StoredDraft } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import type { Draft } from './draft-net.ts'
import type { Drafts } from './drafts.ts'
import type { Threads } from './threads.ts'

interface OutgoingParts {
  readonly crm: Crm
  readonly drafts: Drafts
  readonly threads: Threads
}

/** Milliseconds after which the service sends a reply by itself, also when this tab is closed. */
const sendByServiceMs = 10_000
/** Milliseconds after which this tab sends it: before the service, because only this request can be refused by `ifSeq`. */
const sendByTabMs = 8_000
const settingKey = 'crm-console-undo-send'

/** Whether replies of this browser wait, so that they can be taken back. */
export const undoSend: Signal<boolean> = signal(
  // The store also runs outside of a browser, in tests.
  typeof localStorage === 'undefined' || localStorage.getItem(settingKey) !== 'off',
)

export function setUndoSend(isOn: boolean): void {
  undoSend.value = isOn
  localStorage.setItem(settingKey, isOn ? 'on' : 'off')
}

/**
 * Replies on their way out. A reply is first a draft with a time, which can be taken back. The id of the draft is the
 * `clientMessageId` of each attempt, so that a reply is stored once, whoever sends it.
 */
export class Outgoing {
  readonly #parts: OutgoingParts
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()

  constructor(parts: OutgoingParts) {
    this.#parts = parts
  }

  /** Sends a message; a reply waits first, if the person wants that. Returns whether it waits. */
  async send(conversationId: string, draft: Draft, ifSeq: number): Promise<boolean> {
    const { drafts, threads } = this.#parts
    const { held } = drafts.state(conversationId).peek()
    if (held !== undefined) await this.sendNow(held, ifSeq)
    if (draft.type === 'note' || !undoSend.peek()) {
      drafts.put(conversationId, { type: draft.type, content: '', attachments: [] })
      await threads.send(conversationId, { ...draft, ifSeq })
      return false
    }
    const sendAt = new Date(Date.now() + sendByServiceMs).toISOString()
    try {
      const waiting = await drafts.hold(conversationId, draft, sendAt)
      const sendIt = () => void this.sendNow(waiting, ifSeq)
      this.#timers.set(waiting._id, setTimeout(sendIt, sendByTabMs))
      return true
    } catch {
      // Sent at once instead: this request shows its reason at the message when it is refused too.
      await this.#sendDirectly(conversationId, draft, ifSeq)
      return false
    }
  }

  /** Sends a reply that waits. When a colleague was first it stays in the thread, with that reason. */
  async sendNow(held: StoredDraft, ifSeq: number): Promise<void> {
    const { crm, drafts, threads } = this.#parts
    const { _id, conversationId, version } = held
    clearTimeout(this.#timers.get(_id))
    try {
      threads.take(await crm.drafts.send(conversationId, _id, { expectedVersion: version }, { ifSeq }))
      drafts.endHold(conversationId)
    } catch {
      const { content, attachments } = held
      await this.#sendDirectly(conversationId, { type: 'reply', content, attachments }, ifSeq)
    }
  }

  /** Puts a reply that waits back into the composer. False: it was sent in the meantime. */
  async takeBack(held: StoredDraft): Promise<boolean> {
    clearTimeout(this.#timers.get(held._id))
    return this.#parts.drafts.takeBack(held)
  }

  async #sendDirectly(conversationId: string, draft: Draft, ifSeq: number): Promise<void> {
    const { drafts, threads } = this.#parts
    const clientMessageId = drafts.idOf(conversationId)
    drafts.endHold(conversationId)
    await threads.send(conversationId, { ...draft, ifSeq }, clientMessageId)
  }
}
