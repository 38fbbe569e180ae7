import { FairQueue } from '../../../fairness/fair-queue.ts'

/** A read that takes longer makes its tenant's next reads wait for each other, away from those of other tenants. */
const slowMs = 50
const slowForMs = 10_000
const slowTenantsMax = 1_000

/**
 * Shares two threads among tenants. Reads of a tenant whose reads were slow lately run on the thread of slow reads, one
 * at a time and round-robin by tenant, so that they delay no read of another tenant but each other's.
 */
export interface ReaderThreads {
  /** Runs a page; `read` returns how long the thread worked on it. */
  readPage<T extends { tookMs: number }>(tenantId: string, read: (name: ReaderName) => Promise<T>): Promise<T>
  /** Runs a count, which may take long. */
  count<T>(tenantId: string, read: () => Promise<T>): Promise<T>
}

export type ReaderName = 'quick' | 'slow'

export function createReaderThreads(nowMs: () => number = () => performance.now()): ReaderThreads {
  const waiting = new FairQueue<() => Promise<void>>()
  const slowUntil = new Map<string, number>()
  let isRunning = false

  async function runWaiting(): Promise<void> {
    if (isRunning) return
    isRunning = true
    for (let next = waiting.shift(); next; next = waiting.shift()) await next()
    isRunning = false
  }

  function count<T>(tenantId: string, read: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push(tenantId, () => read().then(resolve, reject))
      void runWaiting()
    })
  }

  function isSlow(tenantId: string): boolean {
    const until = slowUntil.get(tenantId)
    if (until === undefined) return false
    if (until > nowMs()) return true
    slowUntil.delete(tenantId)
    return false
  }

  return {
    count,
    async readPage(tenantId, read) {
      const page = await (isSlow(tenantId) ? count(tenantId, () => read('slow')) : read('quick'))
      if (page.tookMs > slowMs) {
        if (slowUntil.size >= slowTenantsMax) slowUntil.clear()
        slowUntil.set(tenantId, nowMs() + slowForMs)
      }
      return page
    },
  }
}
