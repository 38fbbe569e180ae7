import { FairQueue } from '../../../fairness/fair-queue.ts'

/** Bounds the mails that a process reads at the same time, because each is in memory. Tenants that wait alternate. */
export class MailSlots {
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
