import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  Failure,
  isRoleAtLeast,
  type LiveEventType,
  type OperationAuth,
  type TypingEvent,
} from '@crmkit/core'
import type { Caller } from '../../features/caller.ts'
import type { EventFeed, StreamedEvent } from '../../features/stream-handler.ts'
import type { LiveReader } from '../../live/live-readers.ts'
import type { StreamOfUser } from '../../live/stream-signs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import { addressGroup } from '../../shared/address-block.ts'
import { isoTime } from '../../shared/clock.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Authenticator } from '../credentials/authenticate.ts'
import { authorize } from '../credentials/authorize.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import { streamHeaders } from '../response/send-reply.ts'
import { EventStream, type StreamTiming } from './event-stream.ts'
import type { EventWakes } from './event-wakes.ts'

interface OpenStreamsParts {
  authenticator: Pick<Authenticator, 'authenticate' | 'expiresAtMs'>
  wakes: EventWakes
  clock: Clock
  log: Log
  meters: Pick<Meters, 'eventStreamed'>
  /** Called before a stream with live events begins. */
  noteStream(stream: StreamOfUser): Promise<void>
  /** Begins to send live events to a stream; returns the function that ends it. */
  beginLive(reader: LiveReader): Promise<() => void>
  timing?: Partial<StreamTiming>
}

interface StreamRequest {
  req: IncomingMessage
  res: ServerResponse
  caller: Authenticated
  auth: OperationAuth
  address: string
  /** The beginning of the response, as for every reply. */
  about: Parameters<typeof streamHeaders>[0]
  /** Where the stream begins and what it reads. Throws when the request is refused. */
  open: () => Promise<EventFeed>
}

interface WaitingRequest extends Pick<StreamRequest, 'req' | 'res' | 'caller' | 'auth' | 'address'> {
  poll: { feed: EventFeed; waitMs: number }
}

const perCredentialMax = 5
/** Behind one address may be a whole company, each with a page or two open. */
export const streamsPerAddressMax = 500
const timingDefault: StreamTiming = { heartbeatMs: 15_000, checkMs: 10_000, pollMs: 1_000 }
const timerMaxMs = 2 ** 31 - 1
/** A guess: nobody knows when one of the others ends. */
const retryAfterSeconds = 10

/** All streams of this process. */
export class OpenStreams {
  readonly #parts: OpenStreamsParts
  readonly #timing: StreamTiming
  readonly #running = new Map<EventStream, TenantId>()
  /** How many each credential has, and each address. */
  readonly #counts = new Map<string, number>()
  #isEnded = false

  constructor(parts: OpenStreamsParts) {
    this.#parts = parts
    this.#timing = { ...timingDefault, ...parts.timing }
  }

  /** Responds to a request with a stream; resolves when it has begun. Throws a refusal before anything was sent. */
  async serve(request: StreamRequest): Promise<void> {
    if (this.#isEnded) throw stopping()
    const leave = this.#enter(request)
    try {
      const feed = await request.open()
      const { req, res, about } = request
      await this.#noteStream(request, feed)
      if (this.#isEnded) throw stopping()
      res.writeHead(200, streamHeaders(about))
      if (req.method === 'HEAD') res.end()
      else void this.#run(request, feed).finally(leave)
      if (req.method === 'HEAD') leave()
    } catch (error) {
      leave()
      throw error
    }
  }

  async #noteStream({ req, caller: { tenantId, actor } }: StreamRequest, feed: EventFeed): Promise<void> {
    if (feed.live === undefined || actor.type !== 'user' || req.method === 'HEAD') return
    const { user, sessionId } = actor
    await this.#parts.noteStream({ tenantId, user, sessionId, isResumed: feed.isResumed === true })
  }

  /** Ends every stream and begins no other; the clients continue from their positions with another process. */
  end(): void {
    this.#isEnded = true
    for (const stream of this.#running.keys()) stream.end()
  }

  /** How many are open. */
  get count(): number {
    return this.#running.size
  }

  /** Credentials of this tenant may have changed; null: of any tenant. */
  recheck(changed: TenantId | null): void {
    for (const [stream, tenantId] of this.#running) {
      if (changed === null || changed === tenantId) void stream.recheck()
    }
  }

  /** Shows the streams of the team that a visitor types. */
  announceTyping(tenantId: TenantId, typing: TypingEvent): void {
    const data = JSON.stringify(typing)
    for (const [stream, of] of this.#running) if (of === tenantId) stream.signalTyping(data)
  }

  /** Whether a chat widget of the tenant has a stream in this process. */
  hasVisitors(tenantId: TenantId): boolean {
    for (const [stream, of] of this.#running)
      if (of === tenantId && stream.actor.type === 'visitor') return true
    return false
  }

  /** Sends a message that is stored nowhere to the streams of one visitor. */
  sendToVisitor(tenantId: TenantId, visitorId: string, frame: string): void {
    for (const [stream, of] of this.#running) {
      const { actor } = stream
      if (of === tenantId && actor.type === 'visitor' && actor.session.visitorId === visitorId)
        stream.sendLive(frame)
    }
  }

  /**
   * Returns the first events of a feed, as soon as there are some; none when the time is over or the client has disconnected. One that
   * waits takes a slot like a stream, and ends when the credential no longer holds.
   */
  async waitFor({
    req,
    res,
    caller,
    auth,
    address,
    poll,
  }: WaitingRequest): Promise<readonly StreamedEvent[]> {
    const { feed, waitMs } = poll
    // A poll that waits for nothing is what a client falls back to when it has no slot.
    const leave = waitMs > 0 ? this.#enter({ caller, address }) : () => {}
    let wake = () => {}
    const unsubscribe = this.#parts.wakes.subscribe(caller.tenantId, () => wake())
    res.once('close', () => wake())
    const endsAt = performance.now() + waitMs
    try {
      for (let actor = caller.actor; ; actor = await this.#check({ req, auth, address })) {
        const { promise: woken, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const events = await feed.read({ after: feed.start, actor })
        const leftMs = endsAt - performance.now()
        if (events.length > 0 || leftMs <= 0 || this.#isEnded || res.closed) return events
        const timer = setTimeout(resolve, Math.min(leftMs, this.#timing.pollMs))
        await woken
        clearTimeout(timer)
      }
    } finally {
      unsubscribe()
      leave()
    }
  }

  /** Returns the current state of the caller. Throws when the credential no longer holds. */
  async #check({ req, auth, address }: Pick<StreamRequest, 'req' | 'auth' | 'address'>): Promise<Caller> {
    const { actor } = await this.#parts.authenticator.authenticate(req)
    authorize(auth, actor, { address })
    return actor
  }

  /** Takes a slot of the credential and one of the address; returns the function that releases them. */
  #enter({ caller, address }: Pick<StreamRequest, 'caller' | 'address'>): () => void {
    const bounds: [string, number, string][] = [
      [credentialOf(caller), perCredentialMax, 'with one credential'],
      [addressGroup(address).name, streamsPerAddressMax, 'from one address'],
    ]
    for (const [id, max, of] of bounds) {
      if (this.#countOf(id) >= max) throw tooManyStreams(this.#parts.clock, { max, of })
    }
    for (const [id] of bounds) this.#counts.set(id, this.#countOf(id) + 1)
    return () => {
      for (const [id] of bounds) {
        const left = this.#countOf(id) - 1
        if (left > 0) this.#counts.set(id, left)
        else this.#counts.delete(id)
      }
    }
  }

  #countOf(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  async #run(request: StreamRequest, feed: EventFeed): Promise<void> {
    const { authenticator, wakes, clock, log, meters } = this.#parts
    const { req, res, caller, auth, address } = request
    const check = () => this.#check({ req, auth, address })
    let endLive: () => void = () => {}
    const stream = new EventStream({
      res,
      feed,
      actor: caller.actor,
      check,
      timing: this.#timing,
      clock,
      meters,
      begin: async () => {
        const reader = liveReaderOf(stream, feed, caller)
        if (reader !== undefined) endLive = await this.#parts.beginLive(reader)
      },
    })
    const unsubscribe = wakes.subscribe(caller.tenantId, () => stream.wake())
    this.#running.set(stream, caller.tenantId)
    const endsAtMs = authenticator.expiresAtMs(req)
    const leftMs = endsAtMs === undefined ? timerMaxMs : endsAtMs - clock.nowMs()
    const expiry = setTimeout(() => stream.end(), Math.min(Math.max(0, leftMs), timerMaxMs)).unref()
    try {
      await stream.run()
    } catch (error) {
      // A caller that may no longer see anything is no failure of ours.
      if (!(error instanceof Failure))
        log.warn({ err: error, requestId: request.about.requestId }, 'A stream of events broke off')
    } finally {
      clearTimeout(expiry)
      endLive()
      this.#running.delete(stream)
      unsubscribe()
    }
  }
}

/** Returns the stream as one that gets live events; undefined where it asks for none. */
function liveReaderOf(
  stream: EventStream,
  { live: types }: EventFeed,
  { tenantId, actor }: Authenticated,
): LiveReader | undefined {
  if (types === undefined || actor.type !== 'user') return undefined
  return {
    tenantId,
    user: actor.user,
    sessionId: actor.sessionId,
    hears: (type) => types.includes(type) && mayHear(stream.actor, type),
    isAdmin: () => stream.actor.type === 'user' && isRoleAtLeast(stream.actor.user.role, 'admin'),
    send: (frame) => stream.sendLive(frame),
  }
}

/** Live events are about conversations, but for those about customers. */
function mayHear({ permissions }: Caller, type: LiveEventType): boolean {
  return permissions.includes(type === 'customer.notes' ? 'read:customers' : 'read:conversations')
}

/** The id by which streams are counted: of a session, or of a key. */
export function credentialOf({ tenantId, actor }: Authenticated): string {
  return `${tenantId} ${actor.type === 'user' ? actor.sessionId : actor._id}`
}

function tooManyStreams({ nowMs }: Clock, { max, of }: { max: number; of: string }): Failure {
  const message = `At most ${max} streams may be open ${of}`
  const resetAt = isoTime(nowMs() + retryAfterSeconds * 1000)
  return new Failure('RATE_LIMIT_EXCEEDED', message, {
    extra: { limit: max, resetAt },
    headers: { 'Retry-After': `${retryAfterSeconds}` },
  })
}

function stopping(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'The service is stopping; try again', {
    headers: { 'Retry-After': '1' },
  })
}
