import { customerSender, type LiveEventData, type Presence } from '@crmkit/core'
import type { PresenceChange, PresentUsers } from '../features/handler.ts'
import type { LiveEvents, LiveSignal, PresenceEntry, TypingSign } from '../ports/live.ts'
import type { Notice, Notices } from '../ports/notices.ts'
import type { Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { customerOfRecord } from '../shared/customer-of-record.ts'
import type { TenantId } from '../storage/records.ts'
import { AvailabilityWatch } from './availability-watch.ts'
import { frameOf, type LiveReader, LiveReaders } from './live-readers.ts'
import { PresenceList } from './presence-list.ts'
import { ReplySigns, type VisitorStreams } from './reply-signs.ts'
import { type StreamOfUser, StreamSigns } from './stream-signs.ts'
import { type CountParts, TenantCounts } from './tenant-counts.ts'
import { TypingPace } from './typing-pace.ts'

export interface LiveHubParts extends CountParts {
  storage: Pick<Storage, 'forTenant' | 'system'>
  notices: Pick<Notices, 'publish'>
  /** Calls the function when the tenant may have new events; returns the function that ends that. */
  onEvents(tenantId: TenantId, wake: () => void): () => void
  /** Called for each sign that a visitor types, for streams without live events. */
  onTyping(tenantId: TenantId, typing: { conversationId: string; isTyping: boolean }): void
  visitors: VisitorStreams
  /** New events are looked for that often, where the notice of them was lost. */
  pollMs: number
}

interface Present {
  tenantId: TenantId
  userId: string
  sessionId: string
}

interface Followed {
  counts: TenantCounts
  end: () => void
}

/** Other processes hear that often who is present. */
const renewEveryMs = 5_000
const expireEveryMs = 1_000
/** A process writes whose streams it holds, and looks for users who left by time alone, that often. */
const signsEveryMs = 30_000

/** The live events of this process: who listens, who is where, and the counts of each tenant with a stream. */
export class LiveHub implements LiveEvents, PresentUsers {
  readonly #parts: LiveHubParts
  readonly #readers = new LiveReaders()
  readonly #pace = new TypingPace()
  readonly #presence = new PresenceList((tenantId, id) => this.#notePresence(tenantId, id))
  readonly #replySigns: ReplySigns
  readonly #signs: StreamSigns
  readonly #availability: AvailabilityWatch
  readonly #counts = new Map<TenantId, Followed>()
  /** Conversations whose users are to be sent, while the names of others are read. */
  readonly #unsent = new Map<TenantId, Set<string>>()
  readonly #timers: NodeJS.Timeout[]

  constructor(parts: LiveHubParts) {
    this.#parts = parts
    this.#replySigns = new ReplySigns(parts)
    this.#signs = new StreamSigns({ ...parts, readers: this.#readers })
    this.#availability = new AvailabilityWatch({ ...parts, readers: this.#readers })
    this.#timers = [
      setInterval(() => this.#presence.expire(parts.clock.nowMs()), expireEveryMs).unref(),
      setInterval(() => this.#renew(), renewEveryMs).unref(),
      setInterval(() => void this.noteWhoIsThere(), signsEveryMs).unref(),
    ]
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#signs.settle()
  }

  /** A stream is about to begin: whoever sees that it has begun is online by then. */
  noteStream(stream: StreamOfUser): Promise<void> {
    return this.#signs.begin(stream)
  }

  /** Begins to send live events to a stream: first the counts, then who is where. Returns the function that ends it. */
  async begin(reader: LiveReader): Promise<() => void> {
    const { tenantId } = reader
    const ends = [await this.#availability.begin(tenantId)]
    if (reader.hears('counts.changed')) ends.push(await this.#countsOf(tenantId).begin(reader))
    ends.push(this.#readers.add(reader))
    if (reader.hears('presence.changed')) {
      for (const id of this.#presence.conversations(tenantId))
        reader.send(await this.#presenceFrame(tenantId, id))
    }
    return () => {
      for (const end of ends) end()
      void this.#signs.end(reader)
      this.#endUnused(tenantId)
    }
  }

  publish(tenantId: TenantId, signal: LiveSignal): void {
    if (signal.event === 'typing' && !this.#pace.isDue(signal.data, this.#parts.clock.nowMs())) return
    this.#deliver(tenantId, signal)
    this.#parts.notices.publish({ type: 'live', tenantId, signal })
  }

  /** A session has a conversation open, or has left it. */
  setPresence({ tenantId, ...who }: Present, change: PresenceChange): void {
    this.#report(tenantId, this.#presence.set(tenantId, { ...who, ...change }, this.#parts.clock.nowMs()))
  }

  /** The session has ended. */
  endSession(tenantId: TenantId, sessionId: string): void {
    this.#report(tenantId, this.#presence.endSession(tenantId, sessionId, this.#parts.clock.nowMs()))
  }

  async listPresent({ tenantId, conversationId }: Parameters<PresentUsers['listPresent']>[0]) {
    const store = this.#parts.storage.forTenant(tenantId)
    const userIds = this.#presence.at(tenantId, conversationId).map(({ userId }) => userId)
    const users = await Promise.all(userIds.map((id) => store.users.find(id)))
    // The list may be another one by now: a frame must not show somebody who has left meanwhile.
    return this.#presence.at(tenantId, conversationId).flatMap(({ userId, state, since }): Presence[] => {
      const user = users.find((found) => found?._id === userId)
      if (user === undefined) return []
      const { _id, firstName, lastName, processingRestricted } = user
      const name = processingRestricted ? { firstName: null, lastName: null } : { firstName, lastName }
      return [{ user: { _id, ...name }, state, since }]
    })
  }

  /** The availability of these users may have another value now. */
  noteUsers(tenantId: TenantId, userIds: readonly string[]): void {
    this.#availability.note(tenantId, userIds)
    this.#parts.notices.publish({ type: 'availability', tenantId, userIds })
  }

  /** Conversations or inboxes of the tenant changed without an event. */
  recount(tenantId: TenantId): void {
    this.#counts.get(tenantId)?.counts.recount()
    this.#parts.notices.publish({ type: 'recount', tenantId })
  }

  /** Mails that need a person changed without an event. */
  recountMails(tenantId: TenantId): void {
    this.#counts.get(tenantId)?.counts.recountMails()
    this.#parts.notices.publish({ type: 'recount', tenantId, of: 'mails' })
  }

  /** Applies a notice of another process. */
  receive(notice: Notice): void {
    if (notice.type === 'live') this.#deliver(notice.tenantId, notice.signal)
    if (notice.type === 'recount') {
      const counts = this.#counts.get(notice.tenantId)?.counts
      if (notice.of === 'mails') counts?.recountMails()
      else counts?.recount()
    }
    if (notice.type === 'availability') this.#availability.note(notice.tenantId, notice.userIds)
    if (notice.type === 'presence')
      this.#presence.apply(notice.tenantId, notice.entries, this.#parts.clock.nowMs())
  }

  /** Notices may have been lost. Presence is reported again by itself. */
  onGap(): void {
    for (const { counts } of this.#counts.values()) counts.recountAll()
    void this.#availability.repeat()
  }

  #countsOf(tenantId: TenantId): TenantCounts {
    const known = this.#counts.get(tenantId)
    if (known !== undefined) return known.counts
    const { storage, onEvents, pollMs } = this.#parts
    const counts = new TenantCounts(storage.forTenant(tenantId), this.#parts)
    const unsubscribe = onEvents(tenantId, () => counts.wake())
    const poll = setInterval(() => counts.wake(), pollMs).unref()
    const end = () => {
      unsubscribe()
      clearInterval(poll)
    }
    this.#counts.set(tenantId, { counts, end })
    return counts
  }

  #endUnused(tenantId: TenantId): void {
    const followed = this.#counts.get(tenantId)
    if (!followed?.counts.isUnused) return
    followed.end()
    this.#counts.delete(tenantId)
  }

  #deliver(tenantId: TenantId, signal: LiveSignal): void {
    if (signal.event === 'typing') {
      void this.#deliverTyping(tenantId, signal.data)
      return
    }
    const { event, data, userId } = signal
    if (event === 'conversation.read' && userId !== undefined)
      this.#counts.get(tenantId)?.counts.noteRead(userId, data)
    if ((event === 'draft.updated' || event === 'draft.deleted') && data.author.type === 'user')
      this.#counts.get(tenantId)?.counts.noteDraft(data.author._id)
    const timestamp = isoTime(this.#parts.clock.nowMs())
    this.#send(tenantId, { event, frame: frameOf({ event, timestamp, data }), userId })
  }

  async #deliverTyping(tenantId: TenantId, { customerId, ...typing }: TypingSign): Promise<void> {
    const { storage, clock, onTyping } = this.#parts
    onTyping(tenantId, typing)
    if (this.#readers.of(tenantId).size === 0) return
    const timestamp = isoTime(clock.nowMs())
    // A name that cannot be read is no reason to hide that somebody types.
    const customer =
      customerId === null
        ? undefined
        : await storage
            .forTenant(tenantId)
            .customers.find(customerId)
            .catch(() => undefined)
    const { name } = customerSender(customer ? customerOfRecord(customer) : null)
    const by = { type: 'customer', _id: customerId, name } satisfies LiveEventData<'typing'>['by']
    const frame = frameOf({ event: 'typing', timestamp, data: { ...typing, by } })
    this.#send(tenantId, { event: 'typing', frame })
  }

  #send(
    tenantId: TenantId,
    {
      event,
      frame,
      userId,
    }: { event: LiveSignal['event'] | 'presence.changed'; frame: string; userId?: string | undefined },
  ): void {
    for (const reader of this.#readers.of(tenantId)) {
      if (userId !== undefined && reader.user._id !== userId) continue
      if (reader.hears(event)) reader.send(frame)
    }
  }

  #notePresence(tenantId: TenantId, conversationId: string): void {
    const isReplying = this.#presence.at(tenantId, conversationId).some(({ state }) => state === 'replying')
    this.#replySigns.note({ tenantId, conversationId }, isReplying)
    if (this.#readers.of(tenantId).size === 0) return
    const unsent = this.#unsent.get(tenantId)
    if (unsent !== undefined) {
      unsent.add(conversationId)
      return
    }
    this.#unsent.set(tenantId, new Set([conversationId]))
    void this.#sendPresence(tenantId)
  }

  /** One conversation after the other, so that a later list never arrives before an earlier one. */
  async #sendPresence(tenantId: TenantId): Promise<void> {
    const unsent = this.#unsent.get(tenantId) ?? new Set()
    try {
      for (const id of unsent) {
        unsent.delete(id)
        this.#send(tenantId, { event: 'presence.changed', frame: await this.#presenceFrame(tenantId, id) })
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'The users at a conversation could not be read')
    } finally {
      this.#unsent.delete(tenantId)
    }
  }

  async #presenceFrame(tenantId: TenantId, conversationId: string): Promise<string> {
    const present = await this.listPresent({ tenantId, conversationId })
    const timestamp = isoTime(this.#parts.clock.nowMs())
    return frameOf({ event: 'presence.changed', timestamp, data: { conversationId, present } })
  }

  #report(tenantId: TenantId, entries: readonly PresenceEntry[]): void {
    if (entries.length > 0) this.#parts.notices.publish({ type: 'presence', tenantId, entries })
  }

  /** The signs of this process are written first, so that nobody whose stream it holds seems to have left. */
  async noteWhoIsThere(): Promise<void> {
    await this.#signs.repeat()
    await this.#availability.repeat()
  }

  /** Sessions with a stream in this process stay where they are. */
  #renew(): void {
    this.#replySigns.repeat()
    const nowMs = this.#parts.clock.nowMs()
    for (const tenantId of this.#readers.tenants()) {
      const sessions = new Set([...this.#readers.of(tenantId)].map(({ sessionId }) => sessionId))
      const entries = [...sessions].flatMap((id) => this.#presence.ofSession(tenantId, id))
      if (entries.length === 0) continue
      this.#presence.apply(tenantId, entries, nowMs)
      this.#report(tenantId, entries)
    }
  }
}
