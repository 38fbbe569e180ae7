import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { verifyWebhook } from '@crmkit/sdk/webhooks'
import type { ReceivedRequest } from '../../support/https-receiver.ts'
import { eventKey, typeOfKey } from './ledger.ts'

/** All deliveries of one event that a webhook's receiver has seen. */
export interface SeenEvent {
  id: string
  key: string
  /** Number of requests, and of those that got a success. */
  requests: number
  successes: number
  attemptMax: number
  deliveryId: string
  bodyHash: string
}

export interface InboxSetting {
  /** Names this receiver in reports of failures. */
  name: string
  tenant: string
  secret: string
  events: readonly string[]
  maxRetries: number
}

/** Everything that one webhook's receiver got, and every violation in it. */
export class Inbox {
  readonly setting: InboxSetting
  readonly byKey = new Map<string, SeenEvent>()
  readonly byId = new Map<string, SeenEvent>()
  readonly problems: string[] = []
  readonly #arrivals = new EventEmitter()
  readonly #underWay = new Set<string>()

  constructor(setting: InboxSetting) {
    this.setting = setting
  }

  isSubscribedTo(key: string): boolean {
    return this.setting.events.includes(typeOfKey(key))
  }

  /** Records a request; returns the state of the event before this request. */
  note({ headers, body }: ReceivedRequest): SeenEvent {
    const header = (name: string) => String(headers[name] ?? '')
    const event = JSON.parse(body)
    const id = header('x-webhook-id')
    const bodyHash = createHash('sha1').update(body).digest('base64')
    if (event.id !== id) this.#complain(id, `the body names another event, ${event.id}`)
    this.#verify({ headers, body }, id)
    const deliveryId = header('x-webhook-delivery')
    const seen = this.byId.get(id) ?? this.#open({ id, key: eventKey(event), bodyHash, deliveryId })
    // An erasure replaces the stored bytes of an event; a repeat after it may not include the erased data.
    if (seen.bodyHash !== bodyHash && event.data?.erased !== true)
      this.#complain(id, 'the bytes changed between attempts')
    if (seen.deliveryId !== deliveryId)
      this.#complain(id, `two deliveries, ${seen.deliveryId} and ${deliveryId}`)
    seen.requests += 1
    seen.attemptMax = Math.max(seen.attemptMax, Number(header('x-webhook-attempt')))
    return seen
  }

  /** Two processes must never send the same attempt at the same time. Returns a function that ends the request. */
  begin({ headers }: ReceivedRequest): () => void {
    const attempt = `${headers['x-webhook-delivery']} attempt ${headers['x-webhook-attempt']}`
    if (this.#underWay.has(attempt)) this.#complain(attempt, 'was sent twice at the same time')
    this.#underWay.add(attempt)
    return () => void this.#underWay.delete(attempt)
  }

  succeed(seen: SeenEvent): void {
    seen.successes += 1
    this.#arrivals.emit('success')
  }

  /** Returns the subset of these keys whose event was not accepted yet. */
  missing(keys: Iterable<string>): string[] {
    return [...keys].filter((key) => this.isSubscribedTo(key) && !this.byKey.get(key)?.successes)
  }

  /** Resolves when all events were accepted, or after the time; returns the missing ones. */
  async waitFor(keys: readonly string[], withinMs: number): Promise<string[]> {
    const signal = AbortSignal.timeout(withinMs)
    let missing = this.missing(keys)
    while (missing.length > 0 && !signal.aborted) {
      await once(this.#arrivals, 'success', { signal }).catch(() => undefined)
      missing = this.missing(missing)
    }
    return missing
  }

  #open(seen: Pick<SeenEvent, 'id' | 'key' | 'bodyHash' | 'deliveryId'>): SeenEvent {
    const fresh = { ...seen, requests: 0, successes: 0, attemptMax: 0 }
    const twin = this.byKey.get(seen.key)
    if (twin !== undefined) this.#complain(seen.id, `${seen.key} was already sent by ${twin.id}`)
    this.byKey.set(seen.key, fresh)
    this.byId.set(seen.id, fresh)
    return fresh
  }

  #verify({ headers, body }: Pick<ReceivedRequest, 'headers' | 'body'>, id: string): void {
    // Each signature alone must hold; the age does not matter here, and a test may let the clock jump.
    const { 'x-webhook-signature': own, ...standard } = headers
    const settings = { secrets: this.setting.secret, toleranceSeconds: Number.MAX_SAFE_INTEGER }
    const complain = (error: unknown) => this.#complain(id, String(error))
    verifyWebhook({ body, headers: standard }, settings).catch(complain)
    verifyWebhook(
      { body, headers: { 'x-webhook-signature': own } },
      { ...settings, allowUndated: true },
    ).catch(complain)
  }

  #complain(eventId: string, problem: string): void {
    this.problems.push(`${this.setting.name}, ${eventId}: ${problem}`)
  }
}
