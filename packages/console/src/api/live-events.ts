import { ApiError, isLiveEvent, type LiveEvent, type LogEvent, type StreamedEvent } from '@crmkit/sdk'
import type { Crm } from './crm.ts'
import { LiveMemory } from './live-memory.ts'

type Sent =
  | { readonly kind: 'event'; readonly event: LogEvent; readonly position: string }
  | { readonly kind: 'live'; readonly event: LiveEvent }
  /** A tab has come and does not know the position, the counts, nor who is where. */
  | { readonly kind: 'hello' }
  /** Every event after the position arrives. */
  | { readonly kind: 'open'; readonly position: string }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'gap' }
  | { readonly kind: 'reach'; readonly isReachable: boolean }

interface LiveOptions {
  /** Name shared by the tabs of one session. */
  readonly name: string
  readonly crm: Crm
  readonly signal: AbortSignal
  onEvent(event: LogEvent): void
  onLive(event: LiveEvent): void
  /** Events arrive from now on. */
  onOpen(): void
  /** The stream is broken: who is where is unknown until it is back. */
  onInterrupted(): void
  /** Events are missing, because the position is older than the log or was never known: read everything again. */
  onGap(): void
  onReach(isReachable: boolean): void
}

/** Milliseconds before a refused stream is opened again. */
const refusedWaitMs = 5_000

/**
 * One event stream for all tabs of a browser: the tab that holds the Web Lock reads it and passes the events on. When that
 * tab is closed, the next one continues after the last event that it has seen. Resolves when events arrive from now on:
 * what is read afterwards misses none. Where the stream cannot be opened it resolves too, and \`onGap\` follows when it can.
 */
export function followEvents(options: LiveOptions): Promise<void> {
  const { name, crm, signal } = options
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const tabs = new BroadcastChannel(`${name}:events`)
  let position: string | undefined
  /** The live events that a new tab needs; undefined in the tabs that do not read the stream. */
  let memory: LiveMemory | undefined
  const welcome = () => {
    // Only the tab with the stream knows.
    if (memory === undefined) return
    tabs.postMessage(position === undefined ? { kind: 'interrupted' } : { kind: 'open', position })
    for (const event of memory.events()) tabs.postMessage({ kind: 'live', event })
  }
  const receive = (sent: Sent) => {
    if ('position' in sent) position = sent.position
    if (sent.kind === 'hello') welcome()
    else pass(sent, options)
    if (sent.kind === 'open' || sent.kind === 'interrupted') begin()
  }
  const share = (sent: Sent) => {
    if (sent.kind === 'live') memory?.take(sent.event)
    if (sent.kind === 'interrupted') memory = new LiveMemory()
    tabs.postMessage(sent)
    receive(sent)
  }
  tabs.addEventListener('message', ({ data }: MessageEvent<Sent>) => receive(data))
  signal.addEventListener('abort', () => {
    tabs.close()
    begin()
  })
  tabs.postMessage({ kind: 'hello' } satisfies Sent)
  const lead = () => {
    memory = new LiveMemory()
    return new StreamReader({ crm, signal, share, position: () => position }).read()
  }
  navigator.locks.request(`${name}:stream`, { signal }, lead).catch(() => {
    // Aborted: the session is over.
  })
  return begun
}

function pass(sent: Sent, { onEvent, onLive, onOpen, onInterrupted, onGap, onReach }: LiveOptions): void {
  if (sent.kind === 'event') onEvent(sent.event)
  else if (sent.kind === 'live') onLive(sent.event)
  else if (sent.kind === 'open') onOpen()
  else if (sent.kind === 'interrupted') onInterrupted()
  else if (sent.kind === 'gap') onGap()
  else if (sent.kind === 'reach') onReach(sent.isReachable)
}

interface Reading {
  readonly crm: Crm
  readonly signal: AbortSignal
  share(sent: Sent): void
  /** After which the stream goes on; undefined: at the end of the log. */
  position(): string | undefined
}

function sentOf(streamed: StreamedEvent | LiveEvent): Sent {
  if (isLiveEvent(streamed)) return { kind: 'live', event: streamed }
  const { body: _body, ...event } = streamed
  return { kind: 'event', event, position: event.position }
}

/** Reads until the session ends. The SDK reconnects by itself; here only a refusal is left. */
class StreamReader {
  readonly #parts: Reading
  /** After which the stream goes on; undefined: at the end of the log. */
  #after: string | undefined
  /** The tabs have read their rows before the stream began. */
  #isMissing = false

  constructor(parts: Reading) {
    this.#parts = parts
    this.#after = parts.position()
  }

  async read(): Promise<void> {
    const { signal } = this.#parts
    while (!signal.aborted) {
      try {
        await this.#follow()
      } catch (error) {
        if (signal.aborted) return
        if (!(await this.#canGoOn(error))) return
      }
    }
  }

  /** Waits after a refusal. Returns false for a role that gets no events: it sees changes when it loads again. */
  async #canGoOn(error: unknown): Promise<boolean> {
    const status = error instanceof ApiError ? error.status : undefined
    const isTooOld = status === 422
    this.#after = isTooOld ? undefined : this.#parts.position()
    this.#noteInterruption()
    if (status !== 403 && !isTooOld) await pause(refusedWaitMs, this.#parts.signal)
    return status !== 403
  }

  async #follow(): Promise<void> {
    const { crm, signal, share } = this.#parts
    const options = {
      signal,
      onInterruption: () => this.#noteInterruption(),
      onOpen: ({ position }: { position: string }) => this.#noteOpen(position),
    }
    const stream = crm.events.stream({ after: this.#after ?? 'latest', live: true }, options)
    for await (const event of stream) share(sentOf(event))
  }

  #noteOpen(position: string): void {
    const { share } = this.#parts
    share({ kind: 'open', position })
    if (this.#isMissing) share({ kind: 'gap' })
    this.#isMissing = false
    this.#after = position
  }

  #noteInterruption(): void {
    this.#isMissing ||= this.#after === undefined
    this.#parts.share({ kind: 'interrupted' })
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
