import { setImmediate as nextLoopTick } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import type { TenantId } from '../../storage/records.ts'
import type { QueueRotation } from './queue-rotation.ts'

const walkEveryMs = 900
const walkPageSize = 250
/** A walk over very many delivery queues continues at the next poll. */
const walkPagesMax = 40

type QueuePage = Awaited<ReturnType<Storage['system']['listDeliveryQueues']>>

interface Parts {
  system: Pick<Storage['system'], 'listDeliveryQueues'>
  clock: Clock
  rotation: QueueRotation
}

/** Reports to the rotation which delivery queues have work: at each poll those of tenants with news, at times all. */
export class QueueFinder {
  readonly #parts: Parts
  /** Tenants with new attempts or a changed webhook. */
  #hints = new Set<TenantId>()
  #walkedAt = Number.NEGATIVE_INFINITY
  #walkAfter: string | null = null
  #isStopped = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  hint(tenantId: TenantId): void {
    this.#hints.add(tenantId)
  }

  stop(): void {
    this.#isStopped = true
  }

  /** Reads the queues of the hinted tenants. Skips the walk over all queues when the poll has a known reason. */
  async learn(): Promise<void> {
    const { clock, rotation } = this.#parts
    const isExpected = this.#hints.size > 0 || (rotation.nextAtMs() ?? Number.NaN) <= clock.nowMs()
    await this.#learnOfTenants()
    if (!isExpected || performance.now() - this.#walkedAt >= walkEveryMs) await this.#walk()
  }

  async #learnOfTenants(): Promise<void> {
    const hints = this.#hints
    this.#hints = new Set()
    const { system, rotation } = this.#parts
    const learnOf = async (tenantId: TenantId) => {
      let after: string | null = null
      do {
        const page: QueuePage = await system.listDeliveryQueues({ tenantId, after, limit: walkPageSize })
        for (const deliveryQueue of page.deliveryQueues) rotation.learn(deliveryQueue)
        after = page.next
      } while (after !== null)
    }
    await Promise.all([...hints].map(learnOf))
  }

  async #walk(): Promise<void> {
    this.#walkedAt = performance.now()
    const { system, rotation } = this.#parts
    for (let page = 0; page < walkPagesMax && !this.#isStopped; page++) {
      const query = { after: this.#walkAfter, limit: walkPageSize }
      const { deliveryQueues, next } = await system.listDeliveryQueues(query)
      for (const deliveryQueue of deliveryQueues) rotation.learn(deliveryQueue)
      this.#walkAfter = next
      if (next === null) return
      await nextLoopTick()
    }
  }
}
