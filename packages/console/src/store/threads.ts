import type { ConversationIncluded, Message } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import type { Crm } from '../api/crm.ts'
import { type Problem, problemOf } from '../api/problem.ts'
import { bodyOf, type Draft } from './draft.ts'
import { type Unsent, UnsentNet } from './unsent-net.ts'

/** A colleague who wrote first, from the 409 of `If-Conversation-Seq` (ADR 0023). */
export interface Conflict {
  readonly name: string | null
  /** ISO 8601. */
  readonly at: string
}

/** A message of this tab that the service has not confirmed. */
export interface PendingMessage extends Draft {
  readonly clientMessageId: string
  /** ISO 8601. */
  readonly createdAt: string
  /** `seq` of the conversation when it was written. */
  readonly ifSeq: number
  readonly state: 'sending' | 'failed' | 'conflict'
  readonly problem?: Problem | undefined
  readonly conflict?: Conflict | undefined
}

export interface ThreadState {
  /** Oldest first. */
  readonly messages: readonly Message[]
  readonly pending: readonly PendingMessage[]
  readonly state: 'loading' | 'ready' | 'failed'
  readonly problem: Problem | undefined
  /** Of the page of older messages; null at the beginning of the conversation. */
  readonly olderCursor: string | null
}

type MessagePage = NonNullable<ConversationIncluded['messages']>

export type NewMessage = Draft & Pick<PendingMessage, 'ifSeq'>

const unloaded: ThreadState = {
  messages: [],
  pending: [],
  state: 'loading',
  problem: undefined,
  olderCursor: null,
}
const pageSize = 50

interface ThreadParts {
  readonly crm: Crm
  readonly myId: string
  readonly releaseFiles: (conversationId: string, message: PendingMessage) => Promise<void>
}

function idsOf(all: readonly Unsent[]): ReadonlySet<string> {
  return new Set(all.map(({ conversationId }) => conversationId))
}

/** The messages of the conversations that were opened. */
export class Threads {
  readonly #crm: Crm
  /** Ends the stored draft of a message, so that the message may name its files. */
  readonly #releaseFiles: (conversationId: string, message: PendingMessage) => Promise<void>
  readonly #net: UnsentNet
  readonly #delivering = new Set<string>()
  /** The conversations with messages that were not sent. */
  readonly unsent: Signal<ReadonlySet<string>>
  readonly #threads = new Map<string, Signal<ThreadState>>()
  readonly #loading = new Set<string>()
  /** The threads that are shown, and of which events were missed. */
  readonly #stale = new Set<string>()
  /** Messages that were deleted: a page that was read before may still hold one. */
  readonly #deleted = new Set<string>()

  constructor({ crm, myId, releaseFiles }: ThreadParts) {
    this.#crm = crm
    this.#releaseFiles = releaseFiles
    this.#net = new UnsentNet(myId)
    this.unsent = signal(idsOf(this.#net.all()))
  }

  /** Sends once more what only a missing connection, or the end of a tab, has kept from the service. */
  async sendUnsent(): Promise<void> {
    for (const { conversationId, message } of this.#net.all()) {
      const { clientMessageId, problem, state } = message
      const mayPass = state !== 'conflict' && (problem?.kind ?? 'unreachable') === 'unreachable'
      if (mayPass && !this.#delivering.has(clientMessageId)) await this.sendAgain(conversationId, message)
    }
  }

  /** Whether a message has left the field, and the service has not confirmed it. */
  hasUnsent(): boolean {
    return this.#net.all().length > 0
  }

  /** Ends everything of this person in this browser. */
  clear(): void {
    this.#net.clear()
    this.unsent.value = new Set()
  }

  /** The signal of a thread. Its newest messages come with the look at the conversation. */
  open(conversationId: string): Signal<ThreadState> {
    let thread = this.#threads.get(conversationId)
    if (thread === undefined) {
      thread = signal({ ...unloaded, pending: this.#keptOf(conversationId) })
      this.#threads.set(conversationId, thread)
    }
    return thread
  }

  /** The id of the choice that a visitor has made of a message, as the threads say that are known; undefined: none. */
  choiceOf(messageId: string): string | undefined {
    for (const { value } of this.#threads.values()) {
      // A message of an earlier process has none.
      const made = value.messages.find(({ choice }) => choice?.messageId === messageId)
      if (made) return made.choice?.choiceId
    }
    return undefined
  }

  /**
   * Begins to read the newest messages with the conversation; undefined: they are known. The returned function ends that, without
   * a page when there is none to take.
   */
  begin(id: string): ((page: MessagePage | undefined, problem?: Problem) => void) | undefined {
    const thread = this.open(id)
    if (thread.peek().state === 'ready' && !this.#stale.has(id)) return undefined
    return (page, problem) => {
      if (page === undefined) {
        if (problem !== undefined) thread.value = { ...thread.peek(), state: 'failed', problem }
        return
      }
      this.#stale.delete(id)
      this.#takePage(thread, page.data, page.pagination.nextCursor)
    }
  }

  /** Reads the page before the oldest message. */
  async older(conversationId: string): Promise<void> {
    const thread = this.#threads.get(conversationId)
    const cursor = thread?.peek().olderCursor
    if (thread !== undefined && cursor) await this.#readOlder(conversationId, thread, cursor)
  }

  /** Forgets every thread but the given one, which is read again at its next look. */
  forget(exceptId: string | undefined): void {
    for (const id of this.#threads.keys()) if (id !== exceptId) this.#threads.delete(id)
    if (exceptId !== undefined) this.#stale.add(exceptId)
  }

  /** Forgets the messages of a thread, and keeps what was not sent. */
  empty(id: string): void {
    const thread = this.#threads.get(id)
    if (thread !== undefined) thread.value = { ...unloaded, pending: thread.peek().pending }
  }

  /** Adds or replaces a message of an opened thread. */
  take(message: Message): void {
    if (message.clientMessageId) this.#forget(message.clientMessageId)
    const thread = this.#threads.get(message.conversationId)
    if (thread === undefined) return
    const before = thread.peek()
    thread.value = {
      ...before,
      messages: merged(before.messages, [message]),
      pending: before.pending.filter(({ clientMessageId }) => clientMessageId !== message.clientMessageId),
    }
  }

  remove(messageId: string): void {
    this.#deleted.add(messageId)
    for (const thread of this.#threads.values()) {
      const before = thread.peek()
      if (!before.messages.some(({ _id }) => _id === messageId)) continue
      thread.value = { ...before, messages: before.messages.filter(({ _id }) => _id !== messageId) }
    }
  }

  /** Shows a message immediately and sends it. A refusal stays visible at the message, with its reason: then it is false. */
  async send(
    conversationId: string,
    message: NewMessage,
    clientMessageId: string = crypto.randomUUID(),
  ): Promise<boolean> {
    const createdAt = new Date().toISOString()
    return this.#deliver(conversationId, { ...message, clientMessageId, createdAt, state: 'sending' }, false)
  }

  /** Sends a refused message once more; `force` also when a colleague wrote first. */
  async sendAgain(
    conversationId: string,
    pending: PendingMessage,
    { force = false }: { force?: boolean } = {},
  ): Promise<void> {
    const { problem: _problem, conflict: _conflict, ...message } = pending
    await this.#deliver(conversationId, { ...message, state: 'sending' }, force)
  }

  discard(conversationId: string, { clientMessageId }: PendingMessage): void {
    this.#forget(clientMessageId)
    this.#change(conversationId, (pending) =>
      pending.filter((other) => other.clientMessageId !== clientMessageId),
    )
  }

  async #deliver(conversationId: string, message: PendingMessage, force: boolean): Promise<boolean> {
    const { clientMessageId, type, attachments, ifSeq } = message
    this.#put(conversationId, message)
    this.#delivering.add(clientMessageId)
    try {
      const isOfDraft = clientMessageId.startsWith('drf_')
      if (attachments.length > 0 || isOfDraft) await this.#releaseFiles(conversationId, message)
      const sent = await this.#crm.messages.create(
        conversationId,
        { ...bodyOf(message), clientMessageId },
        // The id makes the request safe to repeat, so the SDK may retry it.
        type === 'reply' ? { ifSeq, force } : {},
      )
      this.take(sent)
      return true
    } catch (error) {
      const problem = problemOf(error)
      const conflict = conflictOf(problem)
      this.#put(conversationId, { ...message, state: conflict ? 'conflict' : 'failed', problem, conflict })
      return false
    } finally {
      this.#delivering.delete(clientMessageId)
    }
  }

  /** A message of a tab that has ended while it sent it was not sent, as far as anybody knows. */
  #keptOf(conversationId: string): PendingMessage[] {
    return this.#net.all().flatMap(({ conversationId: id, message }) => {
      if (id !== conversationId) return []
      return message.state === 'sending' ? { ...message, state: 'failed' } : message
    })
  }

  #forget(clientMessageId: string): void {
    this.#net.remove(clientMessageId)
    if (this.unsent.peek().size > 0) this.unsent.value = idsOf(this.#net.all())
  }

  #put(conversationId: string, message: PendingMessage): void {
    this.#net.put(conversationId, message)
    if (message.state !== 'sending') this.unsent.value = idsOf(this.#net.all())
    this.#change(conversationId, (pending) => [
      ...pending.filter(({ clientMessageId }) => clientMessageId !== message.clientMessageId),
      message,
    ])
  }

  #change(
    conversationId: string,
    change: (pending: readonly PendingMessage[]) => readonly PendingMessage[],
  ): void {
    const thread = this.open(conversationId)
    const before = thread.peek()
    thread.value = { ...before, pending: change(before.pending) }
  }

  async #readOlder(id: string, thread: Signal<ThreadState>, cursor: string): Promise<void> {
    if (this.#loading.has(id)) return
    this.#loading.add(id)
    try {
      const page = await this.#crm.messages.list(id, { order: 'desc', limit: pageSize, cursor })
      this.#takePage(thread, page.data, page.nextCursor)
    } catch (error) {
      thread.value = { ...thread.peek(), state: 'failed', problem: problemOf(error) }
    } finally {
      this.#loading.delete(id)
    }
  }

  #takePage(thread: Signal<ThreadState>, read: readonly Message[], olderCursor: string | null): void {
    const page = read.filter(({ _id }) => !this.#deleted.has(_id))
    const stored = new Set(page.map(({ clientMessageId }) => clientMessageId))
    const before = thread.peek()
    for (const { clientMessageId } of before.pending)
      if (stored.has(clientMessageId)) this.#forget(clientMessageId)
    thread.value = {
      ...before,
      pending: before.pending.filter(({ clientMessageId }) => !stored.has(clientMessageId)),
      messages: merged(before.messages, page),
      state: 'ready',
      problem: undefined,
      olderCursor,
    }
  }
}

/** Oldest first, each id once, in its latest state. */
function merged(known: readonly Message[], incoming: readonly Message[]): Message[] {
  const byId = new Map(known.map((message) => [message._id, message]))
  for (const message of incoming) {
    const before = byId.get(message._id)
    if (before === undefined || before.updatedAt <= message.updatedAt) byId.set(message._id, message)
  }
  return [...byId.values()].sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a._id, b._id))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** Undefined for every refusal but that of `If-Conversation-Seq`. */
function conflictOf({ kind, details }: Problem): Conflict | undefined {
  if (kind !== 'conflict' || typeof details !== 'object' || details === null) return undefined
  const { by, at } = details as { by?: { name?: unknown }; at?: unknown }
  if (typeof at !== 'string' || typeof by !== 'object' || by === null) return undefined
  return { name: typeof by.name === 'string' ? by.name : null, at }
}
