import { type CrmEvent, type EventType, eventTypes, type LiveEvent } from '../resources/events.gen.ts'
import type { CallOptions } from './call-options.ts'
import { AbortedError, ApiError, ConnectionError, CrmError, TimeoutError } from './errors.ts'
import { readMessages, type ServerMessage } from './read-messages.ts'
import { retryDelayMs } from './retry-plan.ts'

export type { LiveEvent } from '../resources/events.gen.ts'

/** An event whose subject was erased since. */
export interface ErasedEvent {
  id: string
  event: 'erased'
  /** The type of the event before. */
  eventName: EventType | (string & {})
  timestamp: string
  data: { _id: string | null; erased: true }
  changes?: undefined
}

/** An event of the log: as webhooks receive it, or `erased`. */
export type LogEvent = CrmEvent | ErasedEvent

export function isErasedEvent(event: LogEvent): event is ErasedEvent {
  return event.event === 'erased'
}

/** One event of a stream. */
export type StreamedEvent = LogEvent & {
  /** Position in the log, for `after`. */
  readonly position: string
  /** The JSON as the service sent it, byte for byte as in webhooks. */
  readonly body: string
}

/** Whether an event of a stream with `live: true` is a live one: it has no position, and is stored nowhere. */
export function isLiveEvent(event: StreamedEvent | LiveEvent): event is LiveEvent {
  return !('position' in event)
}

export interface StreamOptions extends Pick<CallOptions, 'signal' | 'headers'> {
  /** Milliseconds until the response must begin. Default: 30,000. */
  readonly timeout?: number | undefined
  /** Milliseconds of silence after which the stream counts as broken; the server sends a heartbeat every 15 s. Default: 45,000. */
  readonly silence?: number | undefined
  /** Called for each connection, once the service sends every event after `position`. */
  readonly onOpen?: ((opened: { position: string }) => void) | undefined
  /** Called for each interruption, before the client reconnects. */
  readonly onInterruption?:
    | ((interruption: { error: CrmError | undefined; waitMs: number }) => void)
    | undefined
}

/** Opens a stream after a position, and checks the status and the headers of the response. */
export type OpenStream = (from: { lastEventId: string | undefined; signal: AbortSignal }) => Promise<Response>

const timeoutDefaultMs = 30_000
const silenceDefaultMs = 45_000

/**
 * The events of a tenant as they happen, for `for await`. When the connection breaks, the client reconnects after the
 * last event, so that no event is lost or repeated. It ends with `break`, or with the `signal`, which throws an
 * `AbortedError`. A refusal (401, 403, 422) throws the same error as any call.
 */
export class EventStream<Event extends StreamedEvent | LiveEvent = StreamedEvent>
  implements AsyncIterable<Event>
{
  readonly #open: OpenStream
  readonly #options: StreamOptions
  readonly #isLive: boolean
  #position: string | undefined

  constructor(open: OpenStream, options: StreamOptions, isLive: boolean) {
    this.#open = open
    this.#options = options
    this.#isLive = isLive
  }

  /** Position of the last event that was read; undefined before the first one. */
  get position(): string | undefined {
    return this.#position
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    const { signal, onInterruption } = this.#options
    for (let failures = 0; ; ) {
      let error: CrmError | undefined
      try {
        for await (const event of this.#connection()) {
          failures = 0
          if (event) yield event
        }
      } catch (thrown) {
        error = asInterruption(thrown, signal)
      }
      const waitMs = waitBefore(++failures, error)
      if (waitMs === undefined) throw error
      onInterruption?.({ error, waitMs })
      await pause(waitMs, signal)
    }
  }

  /** Undefined for a heartbeat, and for a live event that was not asked for. */
  #eventOf({ id, event, data }: ServerMessage): Event | undefined {
    if (data === undefined) return undefined
    if (id !== undefined) return streamed({ id, event, data }) as Event
    return this.#isLive ? JSON.parse(data) : undefined
  }

  /** The events of one connection, and undefined for every heartbeat. */
  async *#connection(): AsyncGenerator<Event | undefined, void, undefined> {
    const { signal, timeout = timeoutDefaultMs, silence = silenceDefaultMs, onOpen } = this.#options
    let isOpen = false
    const life = new AbortController()
    const stop = () => life.abort(new AbortedError(signal?.reason))
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    let alarm: ReturnType<typeof setTimeout> | undefined
    const expectLifeWithin = (milliseconds: number) => {
      clearTimeout(alarm)
      alarm = setTimeout(() => life.abort(new TimeoutError('attempt', milliseconds)), milliseconds)
    }
    try {
      life.signal.throwIfAborted()
      expectLifeWithin(timeout)
      const response = await this.#open({ lastEventId: this.#position, signal: life.signal })
      if (response.body === null) throw new ConnectionError('The stream has no body')
      expectLifeWithin(silence)
      for await (const message of readMessages(response.body)) {
        // A slow reader must not count as a silent server.
        clearTimeout(alarm)
        this.#position = message.id ?? this.#position
        if (!isOpen && message.id !== undefined) onOpen?.({ position: message.id })
        isOpen ||= message.id !== undefined
        yield this.#eventOf(message)
        expectLifeWithin(silence)
      }
    } catch (error) {
      throw life.signal.aborted ? life.signal.reason : error
    } finally {
      clearTimeout(alarm)
      signal?.removeEventListener('abort', stop)
    }
  }
}

/**
 * The delay before a reconnection; undefined when it would be pointless. A stream that worked is reopened almost
 * immediately, with jitter so that not all clients reconnect at the same time.
 */
function waitBefore(failures: number, error: CrmError | undefined): number | undefined {
  const waitMs = error && retryDelayMs(error, { count: failures, isRepeatable: true })
  if (error && (waitMs === undefined || error instanceof ApiError)) return waitMs
  return failures === 1 || waitMs === undefined ? 50 + Math.random() * 100 : waitMs
}

const knownTypes: ReadonlySet<string> = new Set(eventTypes)

interface EventMessage {
  readonly id: string
  readonly event: string | undefined
  readonly data: string
}

function streamed({ id, event, data }: EventMessage): StreamedEvent {
  const parsed = JSON.parse(data) as Sent
  return { ...logEventOf({ ...parsed, event: event ?? parsed.event }), position: id, body: data }
}

/** An event as the service sends it. */
interface Sent {
  readonly event: string
  readonly data?: unknown
}

/** Marks events whose subject was erased, and types that this version does not know. */
export function logEventOf(sent: Sent): LogEvent {
  const { event: eventName, data } = sent
  const isErased = typeof data === 'object' && data !== null && 'erased' in data && data.erased === true
  if (isErased) return { ...sent, event: 'erased', eventName } as unknown as ErasedEvent
  const typed = knownTypes.has(eventName) ? sent : { ...sent, event: 'unknown', eventName }
  return typed as unknown as CrmEvent
}

/** The error of an interruption that justifies a reconnection. Throws every other error. */
function asInterruption(thrown: unknown, signal: AbortSignal | undefined): CrmError {
  if (signal?.aborted) throw thrown instanceof AbortedError ? thrown : new AbortedError(signal.reason)
  if (thrown instanceof ApiError || thrown instanceof ConnectionError || thrown instanceof TimeoutError)
    return thrown
  if (thrown instanceof CrmError || thrown instanceof SyntaxError) throw thrown
  return new ConnectionError('The stream was interrupted', { cause: thrown })
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new AbortedError(signal?.reason))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop)
  })
}
