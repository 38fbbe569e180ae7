import { ApiError, type Crm, isLiveEvent, type LiveEvent, type LogEvent } from '@crmkit/sdk'
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
  const receive = (sent: Sent) => {
    if (sent.kind === 'event') {
      position = sent.position
      options.onEvent(sent.event)
    } else if (sent.kind === 'live') options.onLive(sent.event)
    else if (sent.kind === 'open') position = sent.position
    else if (sent.kind === 'interrupted') options.onInterrupted()
    else if (sent.kind === 'gap') options.onGap()
    else if (sent.kind === 'reach') options.onReach(sent.isReachable)
    else if (memory !== undefined) {
      tabs.postMessage(position === undefined ? { kind: 'interrupted' } : { kind: 'open', position })
      for (const event of memory.events()) tabs.postMessage({ kind: 'live', event })
    }
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
    return readStream({ crm, signal, share, position: () => position })
  }
  navigator.locks.request(`${name}:stream`, { signal }, lead).catch(() => {
    // Aborted: the session is over.
  })
  return begun
}

interface Reading {
  readonly crm: Crm
  readonly signal: AbortSignal
  share(sent: Sent): void
  /** After which the stream goes on; undefined: at the end of the log. */
  position(): string | undefined
}

/** Reads until the session ends. The SDK reconnects by itself; here only a refusal is left. */
async function readStream({ crm, signal, share, position }: Reading): Promise<void> {
  let after = position()
  let isMissing = false
  const onOpen = (opened: { position: string }) => {
    share({ kind: 'open', position: opened.position })
    if (isMissing) share({ kind: 'gap' })
    isMissing = false
    after = opened.position
  }
  const onInterruption = () => {
    // The tabs read their rows now, and the stream will begin later than that.
    isMissing ||= after === undefined
    share({ kind: 'interrupted' })
  }
  while (!signal.aborted) {
    try {
      const query = { after: after ?? 'latest', live: true } as const
      for await (const sent of crm.events.stream(query, { signal, onInterruption, onOpen })) {
        if (isLiveEvent(sent)) share({ kind: 'live', event: sent })
        else {
          const { body: _body, ...event } = sent
          share({ kind: 'event', event, position: event.position })
        }
      }
    } catch (error) {
      if (signal.aborted) return
      const isTooOld = error instanceof ApiError && error.status === 422
      after = isTooOld ? undefined : position()
      onInterruption()
      // A role without the permission for events sees changes when it loads again.
      if (error instanceof ApiError && error.status === 403) return
      if (!isTooOld) await pause(refusedWaitMs, signal)
    }
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
