import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure, type OperationAuth } from '@crmkit/core'
import type { Actor, EventFeed } from '../../features/handler.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { isoTime } from '../../shared/clock.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Authenticated, Authenticator } from '../credentials/authenticate.ts'
import { authorize } from '../credentials/authorize.ts'
import { streamHeaders } from '../response/send-reply.ts'
import { EventStream, type StreamTiming } from './event-stream.ts'
import type { EventWakes } from './event-wakes.ts'

interface EventStreamsParts {
  authenticator: Authenticator
  wakes: EventWakes
  clock: Clock
  log: Log
  timing?: Partial<StreamTiming>
}

interface StreamRequest {
  req: IncomingMessage
  res: ServerResponse
  caller: Authenticated
  auth: OperationAuth
  address: string
  /** How the answer begins, as for every reply. */
  about: Parameters<typeof streamHeaders>[0]
  /** Where the stream begins and what it reads. Throws when the request is refused. */
  open: () => Promise<EventFeed>
}

const perCredentialMax = 5
const timingDefault: StreamTiming = { heartbeatMs: 15_000, checkMs: 10_000, pollMs: 1_000, stallMs: 60_000 }
const timerMaxMs = 2 ** 31 - 1
/** A guess: nobody knows when one of the others ends. */
const retryAfterSeconds = 10

/** All streams of this process. */
export class EventStreams {
  readonly #parts: EventStreamsParts
  readonly #timing: StreamTiming
  readonly #running = new Map<EventStream, TenantId>()
  /** How many each credential has. */
  readonly #counts = new Map<string, number>()
  #isEnded = false

  constructor(parts: EventStreamsParts) {
    this.#parts = parts
    this.#timing = { ...timingDefault, ...parts.timing }
  }

  /** Answers a request with a stream; resolves when it has begun. Throws a refusal before anything was sent. */
  async serve(request: StreamRequest): Promise<void> {
    if (this.#isEnded) throw stopping()
    const leave = this.#enter(request.caller)
    try {
      const feed = await request.open()
      const { req, res, about } = request
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

  /** Ends every stream and begins no other; the clients go on where they were, with another process. */
  end(): void {
    this.#isEnded = true
    for (const stream of this.#running.keys()) stream.end()
  }

  /** What credentials of this tenant mean may have changed; null: of any tenant. */
  recheck(changed: TenantId | null): void {
    for (const [stream, tenantId] of this.#running) {
      if (changed === null || changed === tenantId) void stream.recheck()
    }
  }

  /** Takes one of the places of a credential; answers how to give it back. */
  #enter({ tenantId, actor }: Authenticated): () => void {
    const id = `${tenantId} ${actor.type === 'user' ? actor.sessionId : actor._id}`
    const count = this.#counts.get(id) ?? 0
    if (count >= perCredentialMax) throw tooManyStreams(this.#parts.clock)
    this.#counts.set(id, count + 1)
    return () => {
      const left = (this.#counts.get(id) ?? 1) - 1
      if (left > 0) this.#counts.set(id, left)
      else this.#counts.delete(id)
    }
  }

  async #run(request: StreamRequest, feed: EventFeed): Promise<void> {
    const { authenticator, wakes, clock, log } = this.#parts
    const { req, res, caller, auth, address } = request
    const check = async (): Promise<Actor> => {
      const { actor } = await authenticator.authenticate(req)
      authorize(auth, actor, address)
      return actor
    }
    const stream = new EventStream({ res, feed, actor: caller.actor, check, timing: this.#timing })
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
      this.#running.delete(stream)
      unsubscribe()
    }
  }
}

function tooManyStreams({ nowMs }: Clock): Failure {
  const message = `At most ${perCredentialMax} streams may be open with one credential`
  const resetAt = isoTime(nowMs() + retryAfterSeconds * 1000)
  return new Failure('RATE_LIMIT_EXCEEDED', message, {
    extra: { limit: perCredentialMax, resetAt },
    headers: { 'Retry-After': `${retryAfterSeconds}` },
  })
}

function stopping(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'The service is stopping; try again', {
    headers: { 'Retry-After': '1' },
  })
}
