import { randomUUID } from 'node:crypto'
import type { IdFactory } from '@crmkit/core'
import type { Step } from '../../background/scheduler.ts'
import { isoTime } from '../../ports/clock.ts'
import type { JobQueue } from '../../ports/job-queue.ts'
import type { Log } from '../../ports/log.ts'
import type { AttemptResult, ClaimedAttempt } from '../../ports/records.ts'
import { type Storage, StorageUnavailable } from '../../ports/storage.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import {
  type AttemptParts,
  attemptDelivery,
  attemptTimeoutMs,
  isGone,
  nextAttemptAtMs,
} from './attempt-delivery.ts'
import { deactivateGone } from './deactivate-gone.ts'
import { ResultWriter } from './result-writer.ts'

// Long enough for one attempt behind a full round of others, short enough that a crash delays little.
const leaseMs = 15_000
const writeMarginMs = 1500
/** A claim that waited longer than this is looked at again before it is sent. */
const freshMs = 100

export interface DeliverDueParts extends AttemptParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  queue: Pick<JobQueue, 'wake'>
  ids: IdFactory
  log: Log
  limits?: { total: number; perWebhook: number }
}

interface Lane {
  running: number
  /** Claimed beyond the webhook's cap. */
  waiting: Claim[]
}

type Claim = ClaimedAttempt & { claimedMs: number }

/** Claims due attempts and makes them, at most so many at once in all and for one webhook. */
export function createDeliverDue(parts: DeliverDueParts): Step {
  return new DeliverDue(parts)
}

class DeliverDue implements Step {
  readonly #parts: DeliverDueParts
  readonly #limits: { total: number; perWebhook: number }
  readonly #writer: ResultWriter
  readonly #lanes = new Map<string, Lane>()
  #running = 0
  #claiming: Promise<void> | undefined
  #isAskedAgain = false
  /** Whether rows may be due that the last claim had to leave. */
  #isMoreDue = false
  #isStopped = false
  #onIdle: (() => void) | undefined

  constructor(parts: DeliverDueParts) {
    this.#parts = parts
    this.#limits = parts.limits ?? { total: 64, perWebhook: 16 }
    this.#writer = new ResultWriter({ ...parts, system: parts.storage.system })
  }

  async runDue(): Promise<number | null> {
    await this.#claim()
    // When every place is taken, the end of an attempt makes the next claim.
    if (this.#isStopped || this.#running >= this.#limits.total) return null
    const nextAt = await this.#parts.storage.system.nextAttemptAt(this.#busyWebhookIds())
    return nextAt === null ? null : Math.max(Date.parse(nextAt), this.#parts.clock.nowMs() + 5)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const lane of this.#lanes.values()) lane.waiting = []
    await this.#claiming?.catch(() => undefined)
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    await this.#writer.drain()
  }

  #claim(): Promise<void> {
    this.#isAskedAgain = true
    this.#claiming ??= this.#claimAll()
    return this.#claiming
  }

  async #claimAll(): Promise<void> {
    try {
      while (this.#isAskedAgain && !this.#isStopped) {
        this.#isAskedAgain = false
        await this.#claimUntilFull()
      }
    } finally {
      this.#claiming = undefined
    }
  }

  async #claimUntilFull(): Promise<void> {
    const { storage, clock } = this.#parts
    while (!this.#isStopped) {
      const limit = this.#limits.total - this.#running
      const busyWebhookIds = this.#busyWebhookIds()
      this.#isMoreDue = limit <= 0 || busyWebhookIds.length > 0
      if (limit <= 0) return
      const claimedMs = clock.nowMs()
      const now = isoTime(claimedMs)
      const lease = { now, limit, leaseMs, lockToken: randomUUID(), busyWebhookIds }
      const claims = await storage.system.claimDueAttempts(lease)
      if (claims.length > 0) passFaultPoint('after-claim')
      for (const claim of claims) this.#begin({ ...claim, claimedMs })
      if (claims.length < limit) return
    }
  }

  #busyWebhookIds(): string[] {
    const { perWebhook } = this.#limits
    const lanes = [...this.#lanes]
    return lanes.filter(([, lane]) => lane.running + lane.waiting.length >= perWebhook).map(([id]) => id)
  }

  #begin(claim: Claim): void {
    if (this.#isStopped) return
    const id = claim.webhook._id
    const lane = this.#lanes.get(id) ?? { running: 0, waiting: [] }
    this.#lanes.set(id, lane)
    if (lane.running >= this.#limits.perWebhook) {
      lane.waiting.push(claim)
      return
    }
    lane.running += 1
    this.#running += 1
    void this.#run(claim).finally(() => this.#end(id, lane))
  }

  #end(id: string, lane: Lane): void {
    lane.running -= 1
    this.#running -= 1
    const next = lane.waiting.shift()
    if (next !== undefined) this.#begin(next)
    else if (lane.running === 0) this.#lanes.delete(id)
    if (this.#running === 0) this.#onIdle?.()
    // A failed claim is reported and made again by the sweep.
    if (this.#isMoreDue && !this.#isStopped) this.#claim().catch(() => undefined)
  }

  /** Makes one attempt and hands its result on. Never rejects. */
  async #run(claim: Claim): Promise<void> {
    const { clock, log } = this.#parts
    try {
      if (await this.#isStillWanted(claim)) this.#writer.add(await this.#attempt(claim))
    } catch (err) {
      // For example the encryption key is gone: a failure like any other, so that it ends some day.
      log.error(
        { err, tenantId: claim.tenantId, webhookId: claim.webhook._id },
        'A delivery could not be made',
      )
      // Nothing was sent, so nothing is used up: the attempt is made when its lease has run out.
      if (err instanceof StorageUnavailable) return
      const failed = { ...notSent, error: 'The delivery could not be prepared' }
      this.#writer.add(this.#toResult(claim, { result: failed, endedMs: clock.nowMs() }))
    }
  }

  /**
   * A claim that waited behind others may belong to a webhook that was switched off, its event may have been
   * erased, or its lease may be too short by now.
   */
  async #isStillWanted({ claimedMs, tenantId, webhook, attempt }: Claim): Promise<boolean> {
    const { clock, storage, timeoutMs = attemptTimeoutMs } = this.#parts
    const ageMs = clock.nowMs() - claimedMs
    if (ageMs < freshMs) return true
    if (ageMs > leaseMs - timeoutMs - writeMarginMs) return false
    const store = storage.forTenant(tenantId)
    if ((await store.attempts.find(attempt._id))?.status !== 'pending') return false
    const row = await store.webhooks.find(webhook._id)
    return row?.isActive === true && row.url === webhook.url && row.sealed === webhook.sealed
  }

  async #attempt(claim: Claim): Promise<AttemptResult> {
    const { storage, ids, log } = this.#parts
    const { webhook, event, attempt, tenantId } = claim
    const { deliveryId, attempt: number } = attempt
    passFaultPoint('before-send')
    const outcome = await attemptDelivery(this.#parts, { webhook, event, deliveryId, attempt: number })
    passFaultPoint('after-send-before-result')
    if (isGone(outcome.result)) {
      const store = storage.forTenant(tenantId)
      const gone = { webhookId: webhook._id, url: webhook.url, now: isoTime(outcome.endedMs) }
      await deactivateGone({ store, ids }, gone).catch((err: unknown) => {
        log.error(
          { err, tenantId, webhookId: webhook._id },
          'A webhook that is gone could not be deactivated',
        )
      })
    }
    return this.#toResult(claim, outcome)
  }

  #toResult(claim: Claim, { result, endedMs }: Ended): AttemptResult {
    const { checkDestination, ids } = this.#parts
    const { webhook, attempt, tenantId, lockToken } = claim
    const { statusCode, error, errorCode, timings, remoteAddress } = result
    const isSuccess = error === null
    const isBlockedLiterally = errorCode === 'BLOCKED' && checkDestination(webhook.url) !== undefined
    const policy = webhook.retryPolicy
    const failed = { result, endedMs, attempt: attempt.attempt, policy, isBlockedLiterally }
    const nextMs = isSuccess ? null : nextAttemptAtMs(failed)
    return {
      tenantId,
      attemptId: attempt._id,
      lockToken,
      status: isSuccess ? 'success' : 'failed',
      statusCode,
      deliveredAt: isoTime(endedMs),
      responseTime: timings.total,
      error,
      errorCode,
      timings,
      remoteAddress,
      next: nextMs === null ? null : { _id: ids.next('log'), nextAttemptAt: isoTime(nextMs) },
    }
  }
}

type Ended = Pick<Awaited<ReturnType<typeof attemptDelivery>>, 'result' | 'endedMs'>

const notSent = {
  statusCode: null,
  errorCode: null,
  timings: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
  remoteAddress: null,
  retryAfterMs: null,
}
