import type { Conversation, Message } from './wire.ts'

/** The conversations that the visitor may see, last activity first. */
export class Conversations {
  #all: Conversation[] = []
  currentId: string | undefined
  /** The visitor has asked for a new one, which the next message begins. */
  isNew = false

  get all(): readonly Conversation[] {
    return this.#all
  }

  get current(): Conversation | undefined {
    return this.#all.find(({ _id }) => _id === this.currentId)
  }

  /** Whether the next message begins a conversation. */
  get isBeginning(): boolean {
    return this.current === undefined || this.current.status === 'closed'
  }

  get unread(): number {
    return this.#all.reduce((sum, { unreadCount }) => sum + unreadCount, 0)
  }

  has(id: string): boolean {
    return this.#all.some(({ _id }) => _id === id)
  }

  clear(): void {
    this.#all = []
    this.currentId = undefined
    this.isNew = false
  }

  /** Takes the list of the server. Without a current conversation the newest one is shown. */
  load(all: readonly Conversation[]): void {
    this.#all = all.map((one) => this.#newest(one))
    if (!this.current && !this.isNew) this.currentId = this.#all[0]?._id
  }

  add(begun: Conversation): void {
    this.#all = [this.#newest(begun), ...this.#all.filter(({ _id }) => _id !== begun._id)]
  }

  update(changed: Conversation): void {
    this.#all = this.#all.map((one) => (one._id === changed._id ? this.#newest(changed) : one))
    this.#sort()
  }

  /** A message has come: it is the last activity, and unread when the team has sent it. */
  count({ conversationId, createdAt, direction }: Message): void {
    this.#all = this.#all.map((one) => {
      if (one._id !== conversationId) return one
      const lastMessageAt = (one.lastMessageAt ?? '') > createdAt ? one.lastMessageAt : createdAt
      return { ...one, lastMessageAt, unreadCount: one.unreadCount + (direction === 'outbound' ? 1 : 0) }
    })
    this.#sort()
  }

  #sort(): void {
    this.#all.sort((a, b) => (b.lastMessageAt ?? '').localeCompare(a.lastMessageAt ?? ''))
  }

  /** A response that was made before an event can arrive after it. */
  #newest(received: Conversation): Conversation {
    const known = this.#all.find(({ _id }) => _id === received._id)
    return known && known.updatedAt > received.updatedAt ? known : received
  }
}
