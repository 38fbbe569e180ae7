import { ApiError, ask, send } from './api.ts'
import { backoffMs, pause } from './pause.ts'
import { EventParser } from './sse.ts'
import type { WidgetEvent } from './wire.ts'

interface Follower {
  token(): string | undefined
  /** Events may be missing: the thread has to be read again. */
  onGap(): Promise<void>
  onEvent(event: WidgetEvent): void
  /** Every refusal but that of too many streams. */
  onRefusal(error: ApiError, token: string | undefined): void
  /** Whether the visitor has used the chat on this page. */
  isUsed(): boolean
}

/** Without the comment that comes every 15 s a connection is dead, though nobody has closed it. */
const silenceMs = 45_000
const pollMs = 5_000
/** So long after the visitor has gone to another tab, the page where they chat still says that a reply has come. */
const hiddenMs = 5 * 60_000

/** A connection that breaks while it is read is no different from one that was never made. */
function refusalOf(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, String(error))
}

/** The position belongs to an older database, or the log no longer reaches back to it. */
const outdated = [410, 422]

function isPassing({ status, isPassing: isPassingAnyway }: ApiError): boolean {
  return isPassingAnyway || outdated.includes(status)
}

/** Ends a request when nothing has come for too long, or when `outer` ends. */
class Silence {
  readonly #end = new AbortController()
  readonly signal: AbortSignal
  #timer = 0

  constructor(outer: AbortSignal) {
    this.signal = this.#end.signal
    // No `AbortSignal.any`: telephones of 2023 do not have it, and would never show a reply.
    if (outer.aborted) this.#end.abort()
    outer.addEventListener('abort', () => this.#end.abort(), { signal: this.signal })
    this.restart()
  }

  restart(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end.abort(), silenceMs)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

/**
 * Follows the events of the session while the page is visible, and a page with a running chat a while longer: browsers allow six
 * connections to an origin.
 */
export class Stream {
  readonly #follower: Follower
  #running: AbortController | undefined
  #position: string | undefined
  #hiddenTimer = 0
  #mayStay = false
  /** The token of the last connection. */
  #token: string | undefined

  constructor(follower: Follower) {
    this.#follower = follower
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.#hiddenTimer)
      this.#mayStay = follower.isUsed()
      if (this.#mayStay && document.visibilityState === 'hidden')
        this.#hiddenTimer = setTimeout(() => {
          this.#mayStay = false
          this.update()
        }, hiddenMs)
      this.update()
    })
  }

  /** Starts or stops the stream, as the session and the page's visibility demand. */
  update(): void {
    const isFollowed = document.visibilityState === 'visible' || this.#mayStay
    const isWanted = isFollowed && this.#follower.token() !== undefined
    if (isWanted && !this.#running) {
      this.#running = new AbortController()
      void this.#run(this.#running.signal)
    } else if (!isWanted) this.#stop()
  }

  /** The session has ended or changed. */
  reset(): void {
    this.#stop()
    this.#position = undefined
    this.update()
  }

  #stop(): void {
    this.#running?.abort()
    this.#running = undefined
  }

  async #run(signal: AbortSignal): Promise<void> {
    let attempt = 0
    const onData = () => {
      attempt = 0
    }
    while (!signal.aborted) {
      const refusal = await this.#connect(signal, onData).then(() => undefined, refusalOf)
      if (signal.aborted) return
      if (refusal && !isPassing(refusal)) {
        this.#stop()
        this.#follower.onRefusal(refusal, this.#token)
        return
      }
      if (refusal && outdated.includes(refusal.status)) this.#position = undefined
      const isPolling = refusal?.status === 429
      if (isPolling) await this.#poll(signal)
      await pause(isPolling ? pollMs : backoffMs(attempt++), signal)
    }
  }

  /** Reads the stream until it ends. Throws. */
  async #connect(signal: AbortSignal, onData: () => void): Promise<void> {
    const silence = new Silence(signal)
    this.#token = this.#follower.token()
    try {
      const response = await send('stream?format=markdown', {
        token: this.#token,
        lastEventId: this.#position,
        signal: silence.signal,
      })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      const parser = new EventParser()
      for (;;) {
        const piece = await reader?.read()
        if (!piece || piece.done) return
        silence.restart()
        onData()
        for (const event of parser.push(piece.value)) this.#take(event, signal)
      }
    } finally {
      silence.end()
    }
  }

  #take({ id, data }: { id: string; data: string }, signal: AbortSignal): void {
    if (signal.aborted) return
    // From the first position on nothing is missed; older events are read once.
    if (id && this.#position === undefined) void this.#follower.onGap()
    if (id) this.#position = id
    if (data) this.#follower.onEvent(JSON.parse(data))
  }

  /** Too many streams are open for this session, in other tabs. */
  async #poll(signal: AbortSignal): Promise<void> {
    try {
      const after = this.#position === undefined ? '' : `&after=${encodeURIComponent(this.#position)}`
      const { data, pagination } = await ask<{
        data: WidgetEvent[]
        pagination: { nextCursor: string | null }
      }>(`events?wait=0&format=markdown${after}`, { token: this.#follower.token(), signal })
      if (after === '') void this.#follower.onGap()
      this.#position = pagination.nextCursor ?? this.#position
      for (const event of data) this.#follower.onEvent(event)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
}
