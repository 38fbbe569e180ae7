import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { TenantId } from '../storage/records.ts'
import type { LaneRotation } from './lane-rotation.ts'

const walkEveryMs = 900
const walkPageSize = 250
/** A walk over very many lanes goes on at the next look. */
const walkPagesMax = 40

type LanePage = Awaited<ReturnType<Storage['system']['listDeliveryLanes']>>

interface Parts {
  system: Pick<Storage['system'], 'listDeliveryLanes'>
  clock: Clock
  rotation: LaneRotation
}

/** Tells the rotation which lanes have work: those of tenants that something came for, and now and then all. */
export class LaneFinder {
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

  /** Who was woken for known tenants or a known time asks for no more; a walk over all lanes finds the rest. */
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
        const page: LanePage = await system.listDeliveryLanes({ tenantId, after, limit: walkPageSize })
        for (const lane of page.lanes) rotation.learn(lane)
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
      const { lanes, next } = await system.listDeliveryLanes(query)
      for (const lane of lanes) rotation.learn(lane)
      this.#walkAfter = next
      if (next === null) return
      await nextTurn()
    }
  }
}
