import type { IdFactory } from '@crmkit/core'
import type { BackgroundJob, WakeJob } from '../../jobs/background-job.ts'
import type { Log } from '../../ports/log.ts'
import type { DeliveryOutcome, Meters } from '../../ports/meters.ts'
import type { Committed, Storage } from '../../ports/storage.ts'
import type { AttemptClaim } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import type { AttemptResult, ClaimedAttempt, ClaimedQueue } from '../../storage/records.ts'
import { DeliveryEngine, type DeliverySender } from '../engine/delivery-engine.ts'
import { type DeliveryLimits, defaultDeliveryLimits } from '../engine/delivery-limits.ts'
import {
  type AttemptOutcome,
  type AttemptParts,
  attemptDelivery,
  attemptTimeoutMs,
  isGone,
} from './attempt-delivery.ts'
import { notPrepared, toAttemptResult } from './attempt-result.ts'
import { deactivateWebhook } from './deactivate-webhook.ts'
import { disableFailing } from './disable-failing.ts'
import { ResultWriter } from './result-writer.ts'

// Long enough for one attempt and its result, short enough that a crash delays little.
const leaseMs = 15_000
const writeMarginMs = 1500

export interface WebhookDeliveriesParts extends AttemptParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  wake: WakeJob
  ids: IdFactory
  log: Log
  meters: Pick<Meters, 'deliveryEnded'>
  limits?: Partial<DeliveryLimits>
}

export interface WebhookDeliveries extends BackgroundJob {
  /** Notes whose delivery queues to read first; without it the walk over all delivery queues finds them a little later. */
  onCommitted(commit: Committed): void
}

/** Claims due attempts, fairly over tenants and webhooks, and makes them. */
export function createWebhookDeliveries(parts: WebhookDeliveriesParts): WebhookDeliveries {
  const deliveries = new Deliveries(parts)
  return {
    runDue: () => deliveries.runDue(),
    stop: () => deliveries.stop(),
    onCommitted: (commit) => deliveries.onCommitted(commit),
  }
}

/** Webhooks, as one sender of the delivery engine. */
class Deliveries implements DeliverySender<ClaimedAttempt> {
  readonly leaseMs = leaseMs
  readonly #parts: WebhookDeliveriesParts
  readonly #writer: ResultWriter
  readonly #engine: DeliveryEngine<ClaimedAttempt>

  constructor(parts: WebhookDeliveriesParts) {
    this.#parts = parts
    const { storage, ids, clock } = parts
    const limits = { ...defaultDeliveryLimits, ...parts.limits }
    this.#engine = new DeliveryEngine({ sender: this, limits, clock })
    this.#writer = new ResultWriter({
      ...parts,
      system: storage.system,
      onWritten: (results) => {
        this.#engine.resume()
        return disableFailing({ storage, ids, nowMs: clock.nowMs() }, results)
      },
    })
  }

  readonly listQueues: DeliverySender<ClaimedAttempt>['listQueues'] = (query) =>
    this.#parts.storage.system.listDeliveryQueues(query)

  onCommitted({ tenantId, change, deliveries }: Committed): void {
    // A webhook that was activated again may have attempts that are due.
    const isWebhookChanged = change.writes.some(({ kind, op }) => kind === 'webhooks' && op === 'update')
    if (deliveries > 0 || isWebhookChanged) this.#engine.hint(tenantId)
  }

  runDue(): Promise<number | null> {
    return this.#engine.runDue()
  }

  async stop(): Promise<void> {
    await this.#engine.stop()
    await this.#writer.drain()
  }

  claim(claim: AttemptClaim): Promise<readonly ClaimedQueue[]> {
    return this.#parts.storage.system.claimDueAttempts(claim)
  }

  keyOf({ tenantId, attempt }: ClaimedAttempt): string {
    return `${tenantId}\u0000${attempt._id}`
  }

  renew(running: ClaimedAttempt, again: ClaimedAttempt): void {
    running.lockToken = again.lockToken
  }

  hasCapacity(): boolean {
    return this.#writer.hasCapacity
  }

  /** Makes one attempt and hands its result to the writer. Returns whether the attempt timed out. Never rejects. */
  async attempt(claim: ClaimedAttempt, claimedMs: number): Promise<boolean> {
    const { clock, log, timeoutMs = attemptTimeoutMs } = this.#parts
    const { tenantId, webhook } = claim
    try {
      // The process slept or the clock jumped: by now another process may have claimed the attempt.
      if (clock.nowMs() - claimedMs > leaseMs - timeoutMs - writeMarginMs) return false
      const outcome = await this.#send(claim)
      this.#report(claim, outcome)
      return outcome.result.errorCode === 'TIMEOUT'
    } catch (err) {
      log.error({ err, tenantId, webhookId: webhook._id }, 'A delivery could not be made')
      // Nothing was sent, so no retry is used up: the attempt is made when its lease has expired.
      if (!(err instanceof StorageUnavailable))
        this.#report(claim, { result: notPrepared, endedMs: clock.nowMs() })
      return false
    }
  }

  /** The engine learns of the following retry before the writer wakes the job for it. */
  #report(claim: ClaimedAttempt, ended: Pick<AttemptOutcome, 'result' | 'endedMs'>): void {
    const result = toAttemptResult(this.#parts, { claim, ...ended })
    const { tenantId, webhook } = claim
    if (result.next !== null) {
      const nextAt = result.next.nextAttemptAt
      this.#engine.learn({ tenantId, webhookId: webhook._id, url: webhook.url, isRetry: true, nextAt })
    }
    this.#writer.add(result)
    this.#parts.meters.deliveryEnded({
      outcome: outcomeOf(result),
      delayMs:
        ended.endedMs -
        result.responseTime -
        Date.parse(claim.attempt.nextAttemptAt ?? claim.attempt.createdAt),
      durationMs: result.responseTime,
    })
  }

  async #send(claim: ClaimedAttempt): Promise<AttemptOutcome> {
    const { storage, ids, log } = this.#parts
    const { webhook, event, attempt, tenantId } = claim
    const { deliveryId, attempt: number } = attempt
    passFaultPoint('before-send')
    const outcome = await attemptDelivery(this.#parts, { webhook, event, deliveryId, attempt: number })
    passFaultPoint('after-send-before-result')
    if (isGone(outcome.result)) {
      const store = storage.forTenant(tenantId)
      const now = isoTime(outcome.endedMs)
      // A webhook whose URL was changed in the meantime stays active.
      const isStillDue = ({ url }: { url: string }) => url === webhook.url
      const gone = { webhookId: webhook._id, now, disabledReason: 'gone', isStillDue } as const
      await deactivateWebhook({ store, ids }, gone).catch((err: unknown) => {
        const context = { err, tenantId, webhookId: webhook._id }
        log.error(context, 'Deactivating a webhook after a 410 response failed')
      })
    }
    return outcome
  }
}

function outcomeOf({ status, next }: AttemptResult): DeliveryOutcome {
  if (status === 'success') return 'delivered'
  return next === null ? 'failed' : 'retried'
}
