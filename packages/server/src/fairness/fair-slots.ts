import { FairQueue } from './fair-queue.ts'

/** Bounds the work that is done at the same time. Tenants that wait alternate. */
export class FairSlots {
  #free: number
  readonly #waiting = new FairQueue<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(tenantId, resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
