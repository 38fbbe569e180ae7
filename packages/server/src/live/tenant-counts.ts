import { type LiveEventData, mailNeedsYou, type ViewCount } from '@crmkit/core'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { TenantStore } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import type { BoardUser } from './board-user.ts'
import { type BoardListener, CountBoard } from './count-board.ts'
import { frameOf, type LiveReader } from './live-readers.ts'

/** A stream gets at most one frame in this time. */
const frameEveryMs = 1_000
/** Conversations whose changes are not known in full are read again at most that often. */
const readEveryMs = 5_000

export interface CountParts {
  clock: Clock
  log: Log
}

interface Follower {
  reader: LiveReader
  /** Undefined until its first frame is sent. */
  user: BoardUser | undefined
  pending: Set<string>
  /** The last value of each view, as it was sent. */
  sent: Map<string, string>
  sentAtMs: number
}

/** The counts of one tenant, for the streams of this process: it sends each one what changed, at most once a second. */
export class TenantCounts {
  readonly #parts: CountParts
  readonly #board: CountBoard
  readonly #followers = new Set<Follower>()
  readonly #byUser = new Map<BoardUser, Set<Follower>>()
  /** The board does one thing after the other. */
  #work: Promise<void> = Promise.resolve()
  #isWakeQueued = false
  /** The admission that has not begun: after a restart, all streams of a tenant come at once. */
  #admission: Promise<void> | undefined
  #isUnreadStale = false
  #readAtMs = Number.NEGATIVE_INFINITY
  #closedAtMs = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(store: TenantStore, parts: CountParts) {
    this.#parts = parts
    const listener: BoardListener = {
      onTotals: (views) => this.#note(views),
      onUnread: (user, views) => this.#note(views, user),
      onRead: () => this.#note(this.#board.views),
    }
    this.#board = new CountBoard(store, { listener, now: () => isoTime(parts.clock.nowMs()) })
  }

  get isUnused(): boolean {
    return this.#followers.size === 0
  }

  /** Sends all counts to a new stream, and from then on what changes. Returns the function that ends it. */
  async begin(reader: LiveReader): Promise<() => void> {
    const follower: Follower = { reader, user: undefined, pending: new Set(), sent: new Map(), sentAtMs: 0 }
    this.#followers.add(follower)
    this.#admission ??= this.#queue(async () => {
      // Streams that come from now on wait for the next admission.
      this.#admission = undefined
      if (this.#board.isStale) await this.#read()
      else await this.#board.follow()
      await this.#admit()
      this.#flush()
    })
    await this.#admission
    return () => {
      this.#followers.delete(follower)
      if (follower.user !== undefined) this.#remove(follower, follower.user)
      if (this.isUnused) clearTimeout(this.#timer)
    }
  }

  /** There may be new events. */
  wake(): void {
    if (this.#isWakeQueued || this.isUnused) return
    this.#isWakeQueued = true
    void this.#queue(async () => {
      this.#isWakeQueued = false
      await this.#board.follow()
      await this.#readStale()
      await this.#admit()
      this.#flush()
    })
  }

  /** A user has marked a conversation as read or unread. */
  noteRead(userId: string, data: LiveEventData<'conversation.read'>): void {
    void this.#queue(async () => {
      await this.#board.noteRead(userId, data)
      this.#flush()
    })
  }

  /** A draft of a user was changed, sent or deleted. */
  noteDraft(userId: string): void {
    void this.#queue(async () => {
      await this.#board.noteDraft(userId)
      this.#flush()
    })
  }

  /** Something changed without an event. */
  recount(): void {
    this.#board.isStale = true
    this.wake()
  }

  /** Mails that need a person changed without an event. */
  recountMails(): void {
    this.#board.areMailsStale = true
    this.wake()
  }

  /** Notices may have been lost: those of what users have read are not in the log. */
  recountAll(): void {
    this.#isUnreadStale = true
    this.recount()
  }

  #queue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      // The next poll tries again.
      this.#board.isStale = true
      this.#isUnreadStale = true
      this.#parts.log.warn({ err: error }, 'Conversations could not be counted')
    })
    return this.#work
  }

  async #read(): Promise<void> {
    this.#readAtMs = this.#parts.clock.nowMs()
    await this.#board.read()
    if (this.#isUnreadStale) await this.#board.readAllUnread()
    this.#isUnreadStale = false
  }

  /** Counts for the streams that are new, or for which that has failed before. */
  async #admit(): Promise<void> {
    for (const follower of this.#followers) {
      if (follower.user !== undefined) continue
      const user = await this.#board.addUser(follower.reader.user)
      if (!this.#followers.has(follower)) {
        this.#board.removeUser(user)
        continue
      }
      follower.user = user
      this.#byUser.set(user, (this.#byUser.get(user) ?? new Set()).add(follower))
      for (const view of this.#board.views) follower.pending.add(view)
    }
  }

  async #readStale(): Promise<void> {
    const nowMs = this.#parts.clock.nowMs()
    if (this.#board.isStale && nowMs - this.#readAtMs >= readEveryMs) await this.#read()
    const { isClosedStale, areMailsStale } = this.#board
    if (!(isClosedStale || areMailsStale) || nowMs - this.#closedAtMs < frameEveryMs) return
    this.#closedAtMs = nowMs
    if (isClosedStale) await this.#board.readClosed()
    if (areMailsStale) await this.#board.readMails()
  }

  #note(views: Iterable<string>, user?: BoardUser): void {
    const followers = user === undefined ? this.#followers : (this.#byUser.get(user) ?? [])
    for (const view of views) for (const follower of followers) follower.pending.add(view)
  }

  #remove(follower: Follower, user: BoardUser): void {
    const others = this.#byUser.get(user)
    others?.delete(follower)
    if (others?.size === 0) this.#byUser.delete(user)
    this.#board.removeUser(user)
  }

  /** Sends what is due, and comes back when something else is. */
  #flush(): void {
    clearTimeout(this.#timer)
    const nowMs = this.#parts.clock.nowMs()
    let waitMs = Number.POSITIVE_INFINITY
    for (const follower of this.#followers) {
      if (follower.user === undefined || follower.pending.size === 0) continue
      const leftMs = follower.sentAtMs + frameEveryMs - nowMs
      if (leftMs > 0) waitMs = Math.min(waitMs, leftMs)
      else if (!this.#send(follower, follower.user)) waitMs = frameEveryMs
    }
    if (this.#board.isStale) waitMs = Math.min(waitMs, readEveryMs)
    if (this.#board.isClosedStale || this.#board.areMailsStale) waitMs = Math.min(waitMs, frameEveryMs)
    if (waitMs < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.wake(), waitMs).unref()
  }

  /** Returns false for a reader that does not keep up: it gets the newest values later. */
  #send(follower: Follower, user: BoardUser): boolean {
    // The user may have lost the permission.
    if (!follower.reader.hears('counts.changed')) return true
    const views: Record<string, ViewCount> = {}
    for (const view of follower.pending) {
      if (view === mailNeedsYou && !follower.reader.isAdmin()) continue
      const count = this.#board.countOf(user, view)
      if (follower.sent.get(view) !== JSON.stringify(count)) views[view] = count
    }
    if (Object.keys(views).length > 0) {
      const timestamp = isoTime(this.#parts.clock.nowMs())
      const frame = frameOf({ event: 'counts.changed', timestamp, data: { views } })
      if (!follower.reader.send(frame)) return false
      for (const [view, count] of Object.entries(views)) follower.sent.set(view, JSON.stringify(count))
      follower.sentAtMs = this.#parts.clock.nowMs()
    }
    follower.pending.clear()
    return true
  }
}
