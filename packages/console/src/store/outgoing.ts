import type { Draft as StoredDraft } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import type { Crm } from '../api/crm.ts'
import { problemOf } from '../api/problem.ts'
import { addressed, type Draft, draftOf, emptyDraft, type Recipients } from './draft.ts'
import { changedBasisOf, isChangedElsewhere } from './draft-refusals.ts'
import type { Drafts, Plan } from './drafts.ts'
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

/** A reply that may be taken back for some seconds, and is no plan for later. */
const waitMaxMs = 60_000

export function isPlanned({ sendAt }: StoredDraft): boolean {
  return sendAt !== null && Date.parse(sendAt) - Date.now() > waitMaxMs
}

interface Sending {
  /** `seq` of the conversation that the person has read. */
  readonly ifSeq: number
  /** Called when the service has the message; never for one that is taken back, refused, or sent after this tab. */
  readonly onSent?: (() => void) | undefined
}

/**
 * Replies on their way out. A reply is first a draft with a time, which can be taken back. The id of the draft is the
 * `clientMessageId` of each attempt, so that a reply is stored once, whoever sends it.
 */
export class Outgoing {
  readonly #parts: OutgoingParts
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** Recipients that stand beside the field, by the conversation: those and no others get the reply. */
  readonly shown = new Map<string, Recipients>()
  readonly #onSent = new Map<string, (() => void) | undefined>()

  constructor(parts: OutgoingParts) {
    this.#parts = parts
  }

  /** Sends a message; a reply waits first, if the person wants that. */
  async send(conversationId: string, written: Draft, { ifSeq, onSent }: Sending): Promise<void> {
    const { drafts, threads } = this.#parts
    const draft = addressed(written, this.shown.get(conversationId))
    await this.#sendWaiting(conversationId, ifSeq)
    // An author has one draft in a conversation: beside a planned reply another one cannot wait.
    const isSlotTaken = drafts.state(conversationId).peek().held !== undefined
    const isDirect = !undoSend.peek() && !drafts.isBasedOnOther(conversationId)
    if (draft.type === 'note' || isSlotTaken || isDirect) {
      drafts.put(conversationId, { ...emptyDraft, type: draft.type })
      if (await threads.send(conversationId, { ...draft, ifSeq })) onSent?.()
      return
    }
    const sendAt = new Date(Date.now() + sendByServiceMs).toISOString()
    try {
      const waiting = await drafts.hold(conversationId, draft, { sendAt, sendUnlessReplied: false, ifSeq })
      this.#onSent.set(waiting._id, onSent)
      const sendIt = () => void this.sendNow(waiting, ifSeq)
      this.#timers.set(waiting._id, setTimeout(sendIt, undoSend.peek() ? sendByTabMs : 0))
    } catch {
      // Sent at once instead: this request shows its reason at the message when it is refused too.
      await this.#sendDirectly(conversationId, draft, { ifSeq, onSent })
    }
  }

  /** Lets the service send a reply at a later time. Throws its refusal, and then the text is in the composer again. */
  async plan(
    conversationId: string,
    written: Draft,
    { ifSeq, ...plan }: Plan & { ifSeq: number },
  ): Promise<void> {
    const { drafts } = this.#parts
    const draft = addressed(written, this.shown.get(conversationId))
    await this.#sendWaiting(conversationId, ifSeq)
    try {
      await drafts.hold(conversationId, draft, plan)
    } catch (error) {
      drafts.put(conversationId, written)
      throw error
    }
  }

  /** Sends a reply that waits. When a colleague was first it stays in the thread, with that reason. */
  async sendNow(held: StoredDraft, ifSeq: number): Promise<void> {
    const { crm, drafts, threads } = this.#parts
    const { _id, conversationId, version } = held
    const onSent = this.#end(_id)
    try {
      threads.take(await crm.drafts.send(conversationId, _id, { expectedVersion: version }, { ifSeq }))
      drafts.endHold(conversationId)
      onSent?.()
    } catch (error) {
      const problem = problemOf(error)
      // Its writer has changed it or taken it back in another window: what stands there is not sent.
      if (isChangedElsewhere(problem)) drafts.refresh()
      else if (changedBasisOf(problem)) await drafts.stop(held, 'RECIPIENT_CHANGED')
      else await this.#sendDirectly(conversationId, draftOf(held), { ifSeq, onSent })
    }
  }

  /** Puts a reply that waits back into the composer. False: it was sent in the meantime. */
  async takeBack(held: StoredDraft): Promise<boolean> {
    this.#end(held._id)
    return this.#parts.drafts.takeBack(held)
  }

  /** A reply that still waits goes before the next one; a planned one keeps its time. */
  async #sendWaiting(conversationId: string, ifSeq: number): Promise<void> {
    const { held } = this.#parts.drafts.state(conversationId).peek()
    if (held !== undefined && !isPlanned(held)) await this.sendNow(held, ifSeq)
  }

  #end(draftId: string): (() => void) | undefined {
    clearTimeout(this.#timers.get(draftId))
    const onSent = this.#onSent.get(draftId)
    this.#onSent.delete(draftId)
    return onSent
  }

  async #sendDirectly(conversationId: string, draft: Draft, { ifSeq, onSent }: Sending): Promise<void> {
    const { drafts, threads } = this.#parts
    const clientMessageId = drafts.idOf(conversationId)
    drafts.endHold(conversationId)
    if (await threads.send(conversationId, { ...draft, ifSeq }, clientMessageId)) onSent?.()
  }
}
