import type { ServerResponse } from 'node:http'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { Caller } from '../../features/caller.ts'
import type { EventFeed, StreamedEvent } from '../../features/stream-handler.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Meters } from '../../ports/meters.ts'
import { longLength } from '../backpressure/pieces.ts'
import { replyPace } from '../backpressure/reply-pace.ts'
import { unreadReplies } from '../backpressure/unread-replies.ts'

export interface StreamTiming {
  heartbeatMs: number
  /** The interval at which the credential, its role, its tenant and its address are checked again. */
  checkMs: number
  /** The time that a stream waits for a notice of new events before it polls the log. */
  pollMs: number
}

interface StreamParts {
  res: ServerResponse
  feed: EventFeed
  actor: Caller
  /** Returns the current state of the caller; throws when the credential no longer holds. */
  check: () => Promise<Caller>
  timing: StreamTiming
  clock: Clock
  meters: Pick<Meters, 'eventStreamed'>
  /** Sends the live events that a stream begins with. */
  begin?: (() => Promise<void>) | undefined
}

interface SentPage {
  /** Where the page ended; undefined when it was empty. */
  readonly end: string | undefined
  /** Whether the log had no further event when the page was read. */
  readonly isLast: boolean
}

const nothing: SentPage = { end: undefined, isLast: true }

/** The time that a client waits before it reconnects. */
const retryMs = 1_000

/**
 * One stream of server-sent events. It holds one page at a time and reads the next one from the storage only
 * when the client has taken the last, so that a slow reader costs no more memory than a quick one.
 */
export class EventStream {
  readonly #parts: StreamParts
  #actor: Caller
  #isOver = false
  #isWoken = false
  /** Everything that was read has been written. */
  #isPaused = false
  #position: string
  #goOn: () => void = () => {}

  constructor(parts: StreamParts) {
    this.#parts = parts
    this.#actor = parts.actor
    this.#position = parts.feed.start
  }

  /** There may be something new. */
  wake(): void {
    this.#isWoken = true
    this.#goOn()
  }

  /** The caller as it was when it was last checked. */
  get actor(): Caller {
    return this.#actor
  }

  /** Sends that a visitor types, to a stream without live events. */
  signalTyping(data: string): void {
    if (this.#parts.feed.hearsTyping?.(this.#actor)) this.sendLive(`event: typing\ndata: ${data}\n\n`)
  }

  /**
   * Sends a message that is stored nowhere: it has no id, so a client that missed it gets it never. Returns false where
   * the client has not taken what was sent before: then the message is lost, and no other one.
   */
  sendLive(message: string): boolean {
    const { res } = this.#parts
    if (this.#isOver || res.writableNeedDrain) return false
    res.write(message)
    return true
  }

  end(): void {
    this.#isOver = true
    this.#goOn()
  }

  /** Ends the stream when its credential no longer holds. */
  async recheck(): Promise<void> {
    try {
      this.#actor = await this.#parts.check()
    } catch {
      this.end()
    }
  }

  /** Resolves when the stream has ended. Rejects when the storage fails; the response is ended then, too. */
  async run(): Promise<void> {
    const { res, timing } = this.#parts
    res.on('drain', () => this.#goOn())
    res.on('close', () => this.end())
    // `close` reports a client that disconnected as well.
    res.on('error', () => {})
    const timers = [
      setInterval(() => this.#beat(), timing.heartbeatMs).unref(),
      setInterval(() => void this.recheck(), timing.checkMs).unref(),
    ]
    try {
      await this.#follow()
    } finally {
      for (const timer of timers) clearInterval(timer)
      res.end()
    }
  }

  async #follow(): Promise<void> {
    const { res, feed, timing } = this.#parts
    let after = feed.start
    let isWaiting = false
    // An id without data is no event, but a client whose connection breaks now will send it as its position.
    res.write(`retry: ${retryMs}\nid: ${after}\n\n`)
    await this.#parts.begin?.()
    while (!this.#isOver) {
      await this.#untilTaken()
      this.#isWoken = false
      // The credential may come from a cache: nothing is read that is older than the cache allows.
      await this.recheck()
      if (this.#isOver) return
      const { end, isLast } = await this.#sendPage(after, isWaiting)
      isWaiting = isLast
      after = end ?? after
      this.#position = after
      if (!isLast) await nextTick()
      else if (!this.#isWoken && !this.#isOver) await this.#pause(timing.pollMs)
    }
  }

  /** A method of its own, for the next wait to hold no page. */
  async #sendPage(after: string, wasWaiting: boolean): Promise<SentPage> {
    const { res, feed } = this.#parts
    const events = await feed.read({ after, actor: this.#actor })
    if (this.#isOver) return nothing
    const length = events.reduce((sum, { body }) => sum + body.length, 0)
    const isHeld = length > longLength
    if (isHeld) replyPace.noteWritten(length)
    unreadReplies.noteHeld(res, isHeld ? length : 0)
    for (const text of textsOf(events)) {
      res.write(text)
      await this.#untilTaken()
      if (this.#isOver) return nothing
    }
    if (isHeld) unreadReplies.noteHeld(res, 0)
    if (wasWaiting) this.#noteDelay(events[0])
    return { end: events.at(-1)?.position, isLast: events.length < (feed.pageSize ?? 1) }
  }

  /** A stream that catches up sends old events: only one that waited shows how late news are. */
  #noteDelay(event: StreamedEvent | undefined): void {
    const { clock, meters } = this.#parts
    if (event !== undefined) meters.eventStreamed(clock.nowMs() - Date.parse(event.timestamp))
  }

  /** Until the client has taken what was written, or has lost its connection. */
  async #untilTaken(): Promise<void> {
    const { res } = this.#parts
    while (res.writableNeedDrain && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#goOn = resolve
      })
    }
  }

  #beat(): void {
    const { res, feed } = this.#parts
    if (this.#isOver || res.writableNeedDrain) return
    res.write(':\n\n')
    // The feed may have passed events of others: a client that reconnects need not pass them again.
    const position = this.#isPaused ? feed.position?.() : undefined
    if (position === undefined || position === this.#position) return
    this.#position = position
    res.write(`id: ${position}\n\n`)
  }

  #pause(milliseconds: number): Promise<void> {
    this.#isPaused = true
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer)
        this.#isPaused = false
        resolve()
      }
      const timer = setTimeout(goOn, milliseconds)
      this.#goOn = goOn
    })
  }
}

type Page = readonly StreamedEvent[]

const texts = new WeakMap<Page, readonly Buffer[]>()

/** Returns the bytes of a page in pieces of about `longLength`. Streams that share a page share its bytes. */
function textsOf(page: Page): readonly Buffer[] {
  const known = texts.get(page)
  if (known !== undefined) return known
  const pieces: Buffer[] = []
  let text = ''
  for (const event of page) {
    text += message(event)
    if (text.length < longLength && event !== page.at(-1)) continue
    pieces.push(Buffer.from(text))
    text = ''
  }
  texts.set(page, pieces)
  return pieces
}

/** A body is JSON as it was made when the event was committed, and JSON has no line end outside of its texts. */
function message({ position, type, body }: StreamedEvent): string {
  return `id: ${position}\nevent: ${type}\ndata: ${body}\n\n`
}
