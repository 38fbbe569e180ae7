import {
  countedUnreadMax,
  type EventBody,
  type EventType,
  type LiveEventData,
  type Mention,
  type Message,
  mailNeedsYou,
  type ViewCount,
} from '@crmkit/core'
import {
  type CountedConversation,
  type CountedUser,
  hasNoUnread,
  isInWaiting,
  listViews,
  readNotClosed,
  readSeqsOf,
  totalOf,
  viewsOf,
} from '../features/conversations/counted-views.ts'
import type { TenantStore } from '../ports/storage.ts'
import { firstEventPosition } from '../storage/event-position.ts'
import { BoardUser } from './board-user.ts'

/** The events after which a count may be another one. */
const countedEvents: readonly EventType[] = [
  'conversation.created',
  'conversation.updated',
  'conversation.assigned',
  'conversation.closed',
  'conversation.merged',
  'conversation.unmerged',
  'conversation.deleted',
  'customer.deleted',
  'message.sent',
  'message.received',
  'message.updated',
  'note.created',
  'mention.created',
  'mail.parked',
]
const pageSize = 200

type ConversationEvent = EventBody & { data: CountedConversation }
type MessageEvent = EventBody & { data: Message & { conversation: CountedConversation } }

/** Hears what changes on a board. */
export interface BoardListener {
  /** The totals of these views are others now. */
  onTotals(views: Iterable<string>): void
  /** The user has another number of unread conversations in these views. */
  onUnread(user: BoardUser, views: Iterable<string>): void
  /** Everything may be different. */
  onRead(): void
}

interface BoardOptions {
  listener: BoardListener
  now: () => string
  /** So many conversations are held, the last changed first. */
  heldMax?: number
}

/**
 * The conversations of a tenant that are not closed, in memory, with what each user who has a stream has not read. It
 * follows the log, so that the counts after a change need no query. Its methods are called one at a time.
 */
export class CountBoard {
  readonly #store: TenantStore
  readonly #listener: BoardListener
  readonly #now: () => string
  readonly #heldMax: number
  readonly #conversations = new Map<string, CountedConversation>()
  readonly #users = new Map<string, BoardUser>()
  #totals = new Map<string, number>()
  #views: readonly string[] = []
  #closed: Pick<ViewCount, 'total' | 'isEstimate'> = { total: 0, isEstimate: false }
  #mails: Pick<ViewCount, 'total' | 'isEstimate'> = { total: 0, isEstimate: false }
  #isComplete = true
  /** The views whose totals are too large to be exact. */
  readonly #estimates = new Set<string>()
  #position = firstEventPosition
  /** A change is not known in full: `read` is needed. */
  isStale = true
  isClosedStale = true
  areMailsStale = true
  /** Drafts and mentions end with their conversation. */
  #areOwnStale = false

  constructor(store: TenantStore, { listener, now, heldMax = countedUnreadMax }: BoardOptions) {
    this.#store = store
    this.#heldMax = heldMax
    this.#listener = listener
    this.#now = now
  }

  get views(): readonly string[] {
    return this.#views
  }

  /** Reads the conversations. Known ones keep their unread messages. */
  async read(): Promise<void> {
    const store = this.#store
    if (this.#conversations.size === 0)
      this.#position = (await store.events.newestPosition()) ?? firstEventPosition
    const views = await listViews(store)
    const left = new Set(this.#conversations.keys())
    let count = 0
    for await (const page of readNotClosed(store, this.#heldMax)) {
      const added = page.filter(({ _id, seq }) => this.#conversations.get(_id)?.seq !== seq)
      for (const conversation of page) {
        left.delete(conversation._id)
        this.#conversations.set(conversation._id, conversation)
      }
      await this.#readUnread(added)
      count += page.length
    }
    for (const id of left) this.#forget(id)
    this.#views = [...views, mailNeedsYou]
    this.#isComplete = count < this.#heldMax
    this.isStale = false
    await this.#countAll()
    for (const user of this.#users.values()) await this.#readOwn(user)
    await this.readClosed()
    await this.readMails()
    this.#listener.onRead()
  }

  async readClosed(): Promise<void> {
    this.isClosedStale = false
    this.#closed = await totalOf(this.#store, { view: 'closed', userId: '' })
    this.#listener.onTotals(['closed'])
  }

  async readMails(): Promise<void> {
    this.areMailsStale = false
    this.#mails = await totalOf(this.#store, { view: mailNeedsYou, userId: '', now: this.#now() })
    this.#listener.onTotals([mailNeedsYou])
  }

  /** Adds a user, or one more stream of the user. */
  async addUser(user: CountedUser): Promise<BoardUser> {
    const known = this.#users.get(user._id)
    if (known !== undefined) {
      known.streams++
      return known
    }
    const added = new BoardUser(user)
    await this.#readUnread([...this.#conversations.values()], [added])
    this.#countUnread(added)
    await this.#readOwn(added)
    this.#users.set(user._id, added)
    if (!this.#isComplete) await this.#countMine(added)
    return added
  }

  removeUser(user: BoardUser): void {
    user.streams--
    if (user.streams === 0) this.#users.delete(user._id)
  }

  /** Reads again what every user has not read. */
  async readAllUnread(): Promise<void> {
    await this.#readUnread([...this.#conversations.values()])
    for (const user of this.#users.values()) this.#countUnread(user)
    this.#listener.onRead()
  }

  /** Applies the events that were committed since the last call. */
  async follow(): Promise<void> {
    for (;;) {
      const page = { after: this.#position, types: countedEvents, limit: pageSize }
      const events = await this.#store.events.read(page)
      for (const { position, body } of events) {
        await this.#apply(JSON.parse(body))
        this.#position = position
      }
      if (events.length < pageSize) break
    }
    if (!this.#areOwnStale) return
    this.#areOwnStale = false
    for (const user of this.#users.values()) {
      if (user.unsent.total > 0) await this.#readUnsent(user)
      if (user.mentions.total > 0) await this.#readMentions(user)
    }
  }

  /** A draft of a user was changed, sent or deleted. */
  async noteDraft(userId: string): Promise<void> {
    const user = this.#users.get(userId)
    if (user !== undefined) await this.#readUnsent(user)
  }

  async #readUnsent(user: BoardUser): Promise<void> {
    user.unsent = await totalOf(this.#store, { view: 'unsent', userId: user._id })
    this.#listener.onUnread(user, ['unsent'])
  }

  async #readMentions(user: BoardUser): Promise<void> {
    user.mentions = await totalOf(this.#store, { view: 'mentions', userId: user._id })
    this.#listener.onUnread(user, ['mentions'])
  }

  /** Reads what is counted for one user alone. */
  async #readOwn(user: BoardUser): Promise<void> {
    await this.#readUnsent(user)
    await this.#readMentions(user)
  }

  /** A user has marked a conversation as read or unread. */
  async noteRead(userId: string, read: LiveEventData<'conversation.read'>): Promise<void> {
    const user = this.#users.get(userId)
    if (user === undefined) return
    this.#takeRead(user, read)
    if (user.mentions.total > 0) await this.#readMentions(user)
  }

  #takeRead(user: BoardUser, { conversationId, seq, unread }: LiveEventData<'conversation.read'>): void {
    user.marks.set(conversationId, { readSeq: seq, asOf: seq + unread.count })
    const conversation = this.#conversations.get(conversationId)
    if (conversation === undefined) return
    this.#setUnread(user, conversation, unread.count > 0 || (conversation.seq ?? 0) > seq)
  }

  countOf(user: BoardUser, view: string): ViewCount {
    if (view === 'closed') return { ...this.#closed, unread: null }
    if (view === 'unsent') return { ...user.unsent, unread: null }
    if (view === 'mentions') return { ...user.mentions, unread: null }
    if (view === mailNeedsYou) return { ...this.#mails, unread: null }
    const name = view === 'mine' ? mineOf(user._id) : view
    const total = this.#totals.get(name) ?? 0
    return { total, unread: user.unread.get(view) ?? 0, isEstimate: this.#estimates.has(name) }
  }

  async #apply(event: EventBody & { data: object }): Promise<void> {
    const { event: type, data } = event
    // The event of the deletion follows.
    if ('erased' in data) return
    if (type === 'mail.parked') this.areMailsStale = true
    else if (type === 'mention.created') await this.#applyMention(data as Mention)
    else if (type === 'customer.deleted') this.isStale = true
    else if (type === 'conversation.deleted') this.#delete((data as CountedConversation)._id)
    else if (type === 'message.updated') this.#applyStatus(event as MessageEvent)
    else if (type.startsWith('conversation.')) await this.#applyConversation(event as ConversationEvent)
    else await this.#applyMessage(event as MessageEvent)
  }

  async #applyMention({ userId }: Mention): Promise<void> {
    const user = this.#users.get(userId)
    if (user !== undefined) await this.#readMentions(user)
  }

  #delete(id: string): void {
    this.#areOwnStale = true
    if (!this.#conversations.has(id)) this.isClosedStale = true
    this.#remove(id)
  }

  async #applyConversation({ event, data, changes }: ConversationEvent): Promise<void> {
    if (event === 'conversation.merged' || event === 'conversation.unmerged') {
      // The target has the messages of the source now, which may have been a closed one: then no status changes.
      this.isClosedStale = true
      return this.#refresh(data._id)
    }
    const status = changes?.['status']
    if (status?.from === 'closed' || status?.to === 'closed') this.isClosedStale = true
    const known = this.#conversations.get(data._id)
    if (data.status === 'closed') this.#remove(data._id)
    else if (known !== undefined) this.#put({ ...known, ...shown(data) })
    // The event of its first message follows.
    else if (event === 'conversation.created') this.#put({ ...shown(data), lastMessageAt: null, seq: 0 })
    else await this.#refresh(data._id)
  }

  /** A reply that fails ends no wait: the customer waits again. */
  #applyStatus({ data: { conversation: of } }: MessageEvent): void {
    const known = this.#conversations.get(of._id)
    if (known === undefined || (of.seq ?? 0) < (known.seq ?? 0)) return
    this.#put({ ...known, waitingSince: of.waitingSince })
  }

  async #applyMessage({ event, data }: MessageEvent): Promise<void> {
    const { conversation: of, sender, createdAt } = data
    if (of.status === 'closed') return
    const known = this.#conversations.get(of._id)
    const seq = of.seq ?? 0
    // Messages of the same moment may have the same `seq`: then only the row has the right one.
    if (known === undefined || seq <= (known.seq ?? 0)) return this.#refresh(of._id)
    const isNote = event === 'note.created'
    const lastMessageAt = isNote ? known.lastMessageAt : createdAt
    this.#put({ ...known, ...shown(of), seq, lastMessageAt })
    await this.#noteMessage({ ...known, ...shown(of), seq, lastMessageAt }, sender)
  }

  /** The author has read the message; it is unread to all others. */
  async #noteMessage(conversation: CountedConversation, sender: Message['sender']): Promise<void> {
    const { _id, seq = 0, lastMessageAt } = conversation
    for (const user of this.#users.values()) {
      const isAuthor = sender.type === 'user' && sender._id === user._id
      // The author may have marked the conversation as unread since.
      if (isAuthor && (user.marks.get(_id)?.asOf ?? -1) < seq)
        user.marks.set(_id, { readSeq: seq, asOf: seq })
      const readSeq = user.marks.get(_id)?.readSeq
      // A user who writes has read the mentions before.
      if (isAuthor && user.mentions.total > 0) await this.#readMentions(user)
      // A note counts for a user who has never read the conversation only if somebody wrote since the user came.
      const isSure = readSeq !== undefined || (lastMessageAt ?? '') > user.createdAt
      if (isSure) this.#setUnread(user, conversation, seq > (readSeq ?? -1))
      else await this.#readUnreadOf(user, conversation)
    }
  }

  async #readUnreadOf(user: BoardUser, conversation: CountedConversation): Promise<void> {
    const [readSeq = 0] = await readSeqsOf(this.#store, user, [conversation])
    this.#setUnread(user, conversation, (conversation.seq ?? 0) > readSeq)
  }

  /** Reads the row of one conversation, and what of it is unread. */
  async #refresh(id: string): Promise<void> {
    const row = await this.#store.conversations.find(id)
    const isCounted = row !== undefined && row.status !== 'closed' && (row.mergedInto ?? null) === null
    if (!isCounted) return this.#remove(id)
    const known = this.#conversations.get(id)
    if (known !== undefined && known.seq === (row.seq ?? 0)) return this.#put({ ...known, ...shown(row) })
    const { lastMessageAt, seq = 0 } = row
    const conversation = { ...shown(row), lastMessageAt, seq }
    // Of more conversations than the board holds, this one may have been counted already.
    if (known === undefined && !this.#isComplete) this.isStale = true
    this.#put(conversation)
    for (const user of this.#users.values()) await this.#readUnreadOf(user, conversation)
  }

  async #readUnread(
    conversations: readonly CountedConversation[],
    users: Iterable<BoardUser> = this.#users.values(),
  ): Promise<void> {
    for (const user of users) {
      for (let start = 0; start < conversations.length; start += pageSize) {
        const page = conversations.slice(start, start + pageSize)
        const readSeqs = await readSeqsOf(this.#store, user, page)
        for (const [index, { _id, seq = 0 }] of page.entries()) {
          const readSeq = readSeqs[index] ?? 0
          // The log may be behind the row: a message that is already read must not be unread when its event comes.
          if (readSeq > seq) user.marks.set(_id, { readSeq, asOf: readSeq })
          user.mark(_id, seq > readSeq)
        }
      }
    }
  }

  #put(conversation: CountedConversation): void {
    const { _id } = conversation
    const before = this.#conversations.get(_id)
    const hasMoved = before === undefined || !isInSameViews(before, conversation)
    if (hasMoved) this.#count(before, -1)
    this.#conversations.set(_id, conversation)
    if (hasMoved) this.#count(conversation, 1)
  }

  #remove(id: string): void {
    // It may be one that the board does not hold, and is counted in the views that it was in.
    if (!(this.#isComplete || this.#conversations.has(id))) this.isStale = true
    this.#count(this.#conversations.get(id), -1)
    this.#forget(id)
  }

  #forget(id: string): void {
    this.#conversations.delete(id)
    for (const user of this.#users.values()) user.mark(id, false)
  }

  /** Adds a conversation to the counts, or takes it out. */
  #count(conversation: CountedConversation | undefined, by: 1 | -1): void {
    if (conversation === undefined) return
    const { _id, assignedTo } = conversation
    const views = viewsOf(conversation)
    const ofAssignee = assignedTo === null ? [] : [mineOf(assignedTo)]
    for (const view of [...views, ...ofAssignee]) this.#totals.set(view, (this.#totals.get(view) ?? 0) + by)
    this.#listener.onTotals(assignedTo === null ? views : [...views, 'mine'])
    for (const user of this.#users.values()) {
      if (user.isUnread(_id)) this.#addUnread(user, conversation, by)
    }
  }

  #setUnread(user: BoardUser, conversation: CountedConversation, isUnread: boolean): void {
    if (user.isUnread(conversation._id) === isUnread) return
    user.mark(conversation._id, isUnread)
    this.#addUnread(user, conversation, isUnread ? 1 : -1)
  }

  #addUnread(user: BoardUser, conversation: CountedConversation, by: 1 | -1): void {
    const views = viewsOf(conversation)
    if (conversation.assignedTo === user._id) views.push('mine')
    for (const view of views) user.unread.set(view, (user.unread.get(view) ?? 0) + by)
    this.#listener.onUnread(user, views)
  }

  async #countAll(): Promise<void> {
    const totals = new Map<string, number>()
    for (const conversation of this.#conversations.values()) {
      const { assignedTo } = conversation
      const views = viewsOf(conversation)
      if (assignedTo !== null) views.push(mineOf(assignedTo))
      for (const view of views) totals.set(view, (totals.get(view) ?? 0) + 1)
    }
    this.#totals = totals
    for (const user of this.#users.values()) this.#countUnread(user)
    this.#estimates.clear()
    if (this.#isComplete) return
    for (const view of this.#views) {
      if (view === 'mine' || hasNoUnread(view)) continue
      this.#setTotal(view, await totalOf(this.#store, { view, userId: '' }))
    }
    for (const user of this.#users.values()) await this.#countMine(user)
  }

  async #countMine({ _id }: BoardUser): Promise<void> {
    this.#setTotal(mineOf(_id), await totalOf(this.#store, { view: 'mine', userId: _id }))
  }

  #setTotal(name: string, { total, isEstimate }: Pick<ViewCount, 'total' | 'isEstimate'>): void {
    this.#totals.set(name, total)
    if (isEstimate) this.#estimates.add(name)
  }

  #countUnread(user: BoardUser): void {
    user.unread.clear()
    for (const conversation of this.#conversations.values())
      if (user.isUnread(conversation._id)) this.#addUnread(user, conversation, 1)
  }
}

/** The name of a user's own view among the totals of all. */
function mineOf(userId: string): string {
  return `mine ${userId}`
}

function shown({ _id, status, assignedTo, inboxId, waitingSince }: CountedConversation) {
  return { _id, status, assignedTo, inboxId, waitingSince }
}

function isInSameViews(a: CountedConversation, b: CountedConversation): boolean {
  const isSame = a.status === b.status && a.assignedTo === b.assignedTo && a.inboxId === b.inboxId
  return isSame && isInWaiting(a) === isInWaiting(b)
}
