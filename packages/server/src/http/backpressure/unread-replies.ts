import type { IncomingMessage, ServerResponse } from 'node:http'
import { FairQueue } from '../../fairness/fair-queue.ts'
import type { Log } from '../../ports/log.ts'
import { bytesTaken, cutConnection } from './connection-bytes.ts'
import { ExpectedReplies, type ExpectedReply } from './expected-replies.ts'

export interface UnreadLimits {
  /** Bytes that may wait for all clients together. */
  totalMax: number
  /** Bytes that may wait for the clients of one address before its next long reply has to wait itself. */
  perAddressMax: number
  /** A client that takes nothing has so long; beyond `calmMax` bytes over all, only `pressedPatienceMs`. */
  patienceMs: number
  calmMax: number
  pressedPatienceMs: number
  sweepMs: number
}

const megabyte = 1024 * 1024
const unreadLimits: UnreadLimits = {
  totalMax: 64 * megabyte,
  perAddressMax: 8 * megabyte,
  // The kernel reports free capacity only when a third of its buffer is free: over a slow link that takes most of a minute.
  patienceMs: 60_000,
  calmMax: 8 * megabyte,
  pressedPatienceMs: 5_000,
  sweepMs: 1_000,
}
const reportIntervalMs = 60_000
/** A count looks at every open reply: with one for each page of each of 500 streams, counts were two thirds of the work of a live event. */
const countIntervalMs = 5

interface WatchedReply {
  req: IncomingMessage
  res: ServerResponse
  /** Returns the name of the client's address; an IPv6 network is one. Called only when a client's bytes are counted. */
  addressOf: (req: IncomingMessage) => string
  log: Log
}

interface OpenReply extends WatchedReply, ExpectedReply {
  /** Its position among the open replies. */
  index: number
  openedAtMs: number
  /** Bytes that wait outside of the connection until it has capacity. */
  heldBytes: number
  takenBytes: number
  /** When its client last took anything, or had taken all. */
  takenAtMs: number
}

const openReply = Symbol('open reply')
type MaybeOpen = ServerResponse & { [openReply]?: OpenReply | undefined }

/**
 * The open replies, in no order. They are in an array that stays: a Map makes a new table after every few replies, and an
 * old table keeps its replies, with all that they hold, until the next full garbage collection.
 */
class OpenReplies {
  readonly #replies: OpenReply[] = []

  get size(): number {
    return this.#replies.length
  }

  of(res: MaybeOpen): OpenReply | undefined {
    return res[openReply]
  }

  add(reply: Omit<OpenReply, 'index'>): void {
    const opened: OpenReply = Object.assign(reply, { index: this.#replies.length })
    this.#replies.push(opened)
    const res: MaybeOpen = reply.res
    res[openReply] = opened
  }

  remove(res: MaybeOpen): void {
    const removed = res[openReply]
    const last = this.#replies.at(-1)
    if (removed === undefined || last === undefined) return
    this.#replies[removed.index] = last
    last.index = removed.index
    this.#replies.pop()
    res[openReply] = undefined
  }

  values(): Iterable<OpenReply> {
    return this.#replies
  }
}

interface Waiting {
  queue: FairQueue<{ reply: OpenReply; tenantId: string; begin: () => void }>
  /** When a reply last began, or the first one had to wait. */
  begunAtMs: number
}

/**
 * Bounds the memory that this process uses for clients that do not read. A reply of which the client takes nothing
 * for too long ends its connection. A long reply is not made while too many bytes wait at its address. When too many
 * bytes wait in all, the connections that have stood still for longest are ended.
 */
export class UnreadReplies {
  readonly #limits: UnreadLimits
  readonly #open = new OpenReplies()
  /** Replies that wait for capacity, by address. */
  readonly #waiting = new Map<string, Waiting>()
  #bytes = new ByteCounts()
  /** The replies that are being made: nothing of them waits yet, but it will. */
  readonly #expected = new ExpectedReplies()
  #timer: NodeJS.Timeout | undefined
  #countedAtMs = Number.NEGATIVE_INFINITY
  #nextCount: NodeJS.Timeout | undefined
  #unreported = 0
  #reportedAtMs = Number.NEGATIVE_INFINITY

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  /** Call when a request begins; its end is for `forget`. */
  watch(reply: WatchedReply): void {
    const nowMs = performance.now()
    const { req, res, addressOf, log } = reply
    // Another service of the same app may have passed the request on.
    if (this.#open.of(res) !== undefined) return
    this.#open.add({
      req,
      res,
      addressOf,
      log,
      openedAtMs: nowMs,
      heldBytes: 0,
      expected: undefined,
      takenBytes: 0,
      takenAtMs: nowMs,
    })
    this.#timer ??= setInterval(() => this.#sweep(), this.#limits.sweepMs).unref()
  }

  /** Undefined when a long reply may be made at once, else resolves when it may; tenants of one address alternate. */
  capacity(res: ServerResponse, tenantId: string): Promise<void> | undefined {
    const reply = this.#open.of(res)
    if (reply === undefined) return undefined
    const address = reply.addressOf(reply.req)
    const known = this.#waiting.get(address)
    if (known === undefined && !this.#isFull(address)) {
      this.#expected.add(reply, { address, tenantId })
      return undefined
    }
    const waiting = known ?? { queue: new FairQueue(), begunAtMs: performance.now() }
    this.#waiting.set(address, waiting)
    return new Promise((begin) => waiting.queue.push(tenantId, { reply, tenantId, begin }))
  }

  /** Counts what waits, and what will as soon as the replies that are being made are there. */
  #isFull(address: string): boolean {
    return this.#bytes.of(address) + this.#expected.bytesOf(address) >= this.#limits.perAddressMax
  }

  /** Call when a reply is held in memory until its client has taken it; with 0 when nothing of it is. */
  noteHeld(res: ServerResponse, bytes: number): void {
    const reply = this.#open.of(res)
    if (reply === undefined) return
    this.#expected.made(reply, bytes)
    reply.heldBytes = bytes
    if (bytes > 0) this.#sweep(res)
    else this.#goOn(res)
  }

  /** Call when a response is closed, watched or not. */
  forget(res: ServerResponse): void {
    this.#remove(res)
    this.#goOn()
  }

  /** Lets those that wait begin, by a count that is at most `countIntervalMs` old. */
  #goOn(written?: ServerResponse): void {
    if (this.#waiting.size === 0) return
    const nowMs = performance.now()
    if (nowMs - this.#countedAtMs >= countIntervalMs) {
      this.#sweep(written)
      return
    }
    this.#beginWaiting(nowMs)
    if (this.#waiting.size > 0) this.#nextCount ??= setTimeout(() => this.#sweep(), countIntervalMs).unref()
  }

  #remove(res: ServerResponse): void {
    const reply = this.#open.of(res)
    if (reply === undefined) return
    this.#expected.made(reply, 0)
    this.#open.remove(res)
  }

  #stopWhenIdle(): void {
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#bytes = new ByteCounts()
  }

  /** `written` has had no time to be taken: it is spared. */
  #sweep(written?: ServerResponse): void {
    const nowMs = performance.now()
    const unread = this.#count(nowMs)
    const { totalMax, calmMax, patienceMs, pressedPatienceMs } = this.#limits
    const isPressed = this.#bytes.total > calmMax
    const takenBeforeMs = nowMs - (isPressed ? pressedPatienceMs : patienceMs)
    unread.sort((a, b) => a.takenAtMs - b.takenAtMs || unreadBytes(b) - unreadBytes(a))
    for (const reply of unread) {
      const isTooMuch = this.#bytes.total > totalMax && reply.res !== written
      if (isTooMuch || reply.takenAtMs <= takenBeforeMs) this.#cut(reply, nowMs)
    }
    this.#beginWaiting(nowMs)
    this.#stopWhenIdle()
  }

  #beginWaiting(nowMs: number): void {
    for (const [address, waiting] of this.#waiting) this.#beginNext(address, waiting, nowMs)
  }

  #count(nowMs: number): OpenReply[] {
    clearTimeout(this.#nextCount)
    this.#nextCount = undefined
    this.#countedAtMs = nowMs
    const unread: OpenReply[] = []
    this.#bytes = new ByteCounts()
    for (const reply of this.#open.values()) {
      lookAt(reply, nowMs)
      const bytes = unreadBytes(reply)
      if (bytes === 0) continue
      unread.push(reply)
      this.#bytes.add(reply.addressOf(reply.req), bytes)
    }
    return unread
  }

  /** One for each call. */
  #beginNext(address: string, waiting: Waiting, nowMs: number): void {
    if (this.#isFull(address)) {
      if (nowMs - waiting.begunAtMs < this.#limits.pressedPatienceMs) return
      // Readers that are slow on purpose must not keep their neighbours waiting without an end.
      this.#cutOldest(address, nowMs)
    }
    let next = waiting.queue.shift()
    // Requests of lost connections wait to be ended; they make nothing.
    while (next?.reply.res.closed) {
      next.begin()
      next = waiting.queue.shift()
    }
    if (waiting.queue.isEmpty) this.#waiting.delete(address)
    waiting.begunAtMs = nowMs
    if (next === undefined) return
    this.#expected.add(next.reply, { address, tenantId: next.tenantId })
    next.begin()
  }

  #cutOldest(address: string, nowMs: number): void {
    let oldest: OpenReply | undefined
    for (const reply of this.#open.values()) {
      if (reply.addressOf(reply.req) !== address || unreadBytes(reply) === 0) continue
      if (oldest === undefined || reply.openedAtMs < oldest.openedAtMs) oldest = reply
    }
    if (oldest !== undefined) this.#cut(oldest, nowMs)
  }

  #cut(reply: OpenReply, nowMs: number): void {
    this.#bytes.add(reply.addressOf(reply.req), -unreadBytes(reply))
    this.#remove(reply.res)
    cutConnection(reply.req.socket)
    this.#unreported += 1
    if (nowMs - this.#reportedAtMs < reportIntervalMs) return
    reply.log.warn(
      { connections: this.#unreported },
      'Ended connections whose clients do not read their replies',
    )
    this.#reportedAtMs = nowMs
    this.#unreported = 0
  }
}

class ByteCounts {
  total = 0
  readonly #byAddress = new Map<string, number>()

  of(address: string): number {
    return this.#byAddress.get(address) ?? 0
  }

  add(address: string, bytes: number): void {
    this.total += bytes
    this.#byAddress.set(address, this.of(address) + bytes)
  }
}

/** The one of this process: its memory is one, however many services it holds. */
export const unreadReplies = new UnreadReplies(unreadLimits)

function unreadBytes({ res, heldBytes }: OpenReply): number {
  return res.writableLength + heldBytes
}

function lookAt(reply: OpenReply, nowMs: number): void {
  const takenBytes = bytesTaken(reply.req.socket)
  if (takenBytes === reply.takenBytes && unreadBytes(reply) > 0) return
  reply.takenBytes = takenBytes
  reply.takenAtMs = nowMs
}
