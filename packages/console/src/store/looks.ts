import type { ConversationIncluded, PopulatedConversation } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import type { Crm } from '../api/crm.ts'
import { type Problem, problemOf } from '../api/problem.ts'
import { type Activities, isInTimeline } from './activities.ts'
import type { Conversations } from './conversations.ts'
import type { Drafts } from './drafts.ts'
import type { Recipients } from './recipients.ts'
import type { Threads } from './threads.ts'

/** The state of the look at an opened conversation. */
export interface Look {
  readonly problem: Problem | undefined
  /** Id of the message above which the line for unread ones stands; null: none. */
  readonly unreadFrom: string | null
  /** Whether the service has shown the conversation since it was opened. */
  readonly isRead: boolean
}

interface LooksParts {
  readonly crm: Crm
  readonly conversations: Conversations
  readonly threads: Threads
  readonly activities: Activities
  readonly drafts: Drafts
  readonly recipients: Recipients
  /** A viewer writes nothing, so nobody would see the drafts and the recipients. */
  readonly canWrite: boolean
}

type Part = keyof ConversationIncluded

function nothing(): void {}

/** As the service would say it. */
const gone: Problem = { kind: 'refused', code: 'NOT_FOUND', sentence: '', detail: '', details: undefined }
const unread: Look = { problem: undefined, unreadFrom: null, isRead: false }
/** Milliseconds within which another opened conversation shows that the list is being leafed through. */
const leafingMs = 300
/** Milliseconds of rest after which a conversation is read that was reached by leafing. */
const restMs = 120

/** Reads an opened conversation with its messages, drafts and recipients in one request, each part unless it is known. */
export class Looks {
  readonly #parts: LooksParts
  readonly #looks = new Map<string, Signal<Look>>()
  #shownId: string | undefined
  #shownAtMs = Number.NEGATIVE_INFINITY
  /** Ends the request that is on its way. */
  #stop = nothing

  constructor(parts: LooksParts) {
    this.#parts = parts
  }

  at(id: string): Signal<Look> {
    let look = this.#looks.get(id)
    if (look === undefined) {
      look = signal(unread)
      this.#looks.set(id, look)
    }
    return look
  }

  /** Opens a conversation, until the returned function is called. One that is passed by is not read. */
  show(id: string): () => void {
    this.#shownId = id
    this.#parts.threads.open(id)
    this.#parts.recipients.forget(id)
    const isLeafing = performance.now() - this.#shownAtMs < leafingMs
    this.#shownAtMs = performance.now()
    const timer = isLeafing ? setTimeout(() => void this.read(id), restMs) : undefined
    if (timer === undefined) void this.read(id)
    return () => {
      clearTimeout(timer)
      // Before the next look: a screen that is drawn with the state of this one would report what it has not read.
      this.at(id).value = unread
      if (this.#shownId !== id) return
      this.#shownId = undefined
      this.#stop()
    }
  }

  /** Reads once more what only a missing connection has kept from this tab. */
  resume(): void {
    const id = this.#shownId
    if (id !== undefined && this.at(id).peek().problem?.kind === 'unreachable') void this.read(id)
  }

  /** Reads again what is shown, after events were missed, and the rest when it is opened. */
  refresh(): void {
    const { threads, activities, drafts } = this.#parts
    threads.forget(this.#shownId)
    activities.forget(this.#shownId)
    drafts.forget()
    if (this.#shownId !== undefined) void this.read(this.#shownId)
  }

  /** A conversation shows the messages of another one now, or no longer. */
  merged(id: string): void {
    this.#parts.threads.empty(id)
    this.refresh()
  }

  /** Reads the page of older messages, and the changes between them. */
  async older(id: string): Promise<void> {
    await this.#parts.threads.older(id)
    await this.#cover(id)
  }

  /** A conversation does not exist any more. */
  end(id: string): void {
    if (this.#shownId === id) this.#stop()
    const look = this.#looks.get(id)
    if (look !== undefined) look.value = { ...look.peek(), problem: gone }
  }

  /** Brings changes of a conversation into its timeline. */
  changed(id: string, changes: object | undefined): void {
    if (isInTimeline(changes)) this.#parts.activities.changed(id, this.#shownId === id)
  }

  /** Reads the changes as far back as the messages are known. */
  async #cover(id: string): Promise<void> {
    const { threads, activities } = this.#parts
    await activities.cover(id, threads.open(id).peek().messages[0]?.createdAt)
  }

  async read(id: string): Promise<void> {
    this.#stop()
    const parts = this.#begin(id)
    const controller = new AbortController()
    this.#stop = () => {
      controller.abort()
      parts.end()
    }
    const look = this.at(id)
    look.value = { ...look.peek(), problem: undefined }
    try {
      const { data, included } = await this.#request(id, parts.include, controller.signal)
      if (controller.signal.aborted) return
      this.#stop = nothing
      this.#parts.conversations.take(data)
      parts.take(data, included)
      void this.#cover(id)
      const { isRead, unreadFrom } = look.peek()
      // The line stays where it was when its reader opened the conversation.
      const from = isRead ? unreadFrom : (data.unread?.firstMessageId ?? null)
      look.value = { problem: undefined, unreadFrom: from, isRead: true }
    } catch (error) {
      if (controller.signal.aborted) return
      this.#stop = nothing
      const problem = problemOf(error)
      parts.end(problem)
      look.value = { ...look.peek(), problem }
    }
  }

  /** Begins to read the parts that are not known. */
  #begin(id: string) {
    const { threads, activities, drafts, recipients, canWrite } = this.#parts
    const messages = threads.begin(id)
    const changes = activities.begin(id)
    const others = canWrite ? drafts.begin(id) : undefined
    const addresses = canWrite ? recipients.begin(id) : undefined
    const include: Part[] = []
    if (messages) include.push('messages')
    if (changes) include.push('activities')
    if (others) include.push('drafts')
    if (addresses) include.push('recipients')
    return {
      include,
      take(data: PopulatedConversation, included: ConversationIncluded) {
        messages?.(included.messages, problemOf(undefined))
        changes?.(included.activities)
        // Before the recipients, which depend on whether somebody has begun to write.
        others?.(included.drafts?.data)
        addresses?.(data, included.recipients)
      },
      end(problem?: Problem) {
        messages?.(undefined, problem)
        others?.(undefined)
        addresses?.()
      },
    }
  }

  async #request(id: string, include: readonly Part[], aborted: AbortSignal) {
    const { crm } = this.#parts
    const options = { signal: aborted }
    if (include.length > 0) return crm.conversations.look(id, { include }, options)
    const included: ConversationIncluded = {}
    return { data: await crm.conversations.get(id, options), included }
  }
}
