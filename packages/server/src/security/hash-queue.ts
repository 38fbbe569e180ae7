import { Failure } from '@crmkit/core'
import type { HashCaller } from '../ports/passwords.ts'
import { customerOf } from '../shared/address-block.ts'

export interface HashQueueLimits {
  concurrentMax: number
  /** Waiting in each of the two queues. */
  waitingMax: number
  /** Waiting of one customer, in each of the two queues. */
  waitingPerCustomerMax: number
}

/** Runs work, a bounded number at once. Throws SERVICE_UNAVAILABLE when too much of it waits. */
export type HashQueue = <T>(caller: HashCaller, work: () => Promise<T>) => Promise<T>

interface Waiting {
  start(): void
  refuse(error: Failure): void
}

/** Work of many customers, round-robin. */
class RoundRobin {
  readonly #byCustomer = new Map<string, Waiting[]>()
  readonly #limits: HashQueueLimits
  #size = 0

  constructor(limits: HashQueueLimits) {
    this.#limits = limits
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  add(customer: string, waiting: Waiting): void {
    const own = this.#byCustomer.get(customer) ?? []
    const isFull = own.length >= this.#limits.waitingPerCustomerMax
    if (isFull || (this.#size >= this.#limits.waitingMax && !this.#dropOfLongest(own.length))) {
      waiting.refuse(tooBusy())
      return
    }
    own.push(waiting)
    this.#byCustomer.set(customer, own)
    this.#size += 1
  }

  take(): Waiting | undefined {
    const next = this.#byCustomer.entries().next()
    if (next.done) return undefined
    const [customer, own] = next.value
    const first = own.shift()
    this.#byCustomer.delete(customer)
    // Back to the end of the round.
    if (own.length > 0) this.#byCustomer.set(customer, own)
    this.#size -= 1
    return first
  }

  /** Refuses the last work of the customer with the most, so that one with less finds a slot; false if nobody has more. */
  #dropOfLongest(than: number): boolean {
    let longest: Waiting[] = []
    for (const own of this.#byCustomer.values()) if (own.length > longest.length) longest = own
    if (longest.length <= than + 1) return false
    longest.pop()?.refuse(tooBusy())
    this.#size -= 1
    return true
  }
}

function tooBusy(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'Too many passwords are being checked; try again', {
    headers: { 'Retry-After': '2' },
  })
}

/**
 * Work at addresses that are known to the account has a queue of its own and every second slot. Whether an account exists
 * decides nothing: under load that would say which e-mails are known.
 */
export function createHashQueue(limits: HashQueueLimits): HashQueue {
  const queues = { known: new RoundRobin(limits), other: new RoundRobin(limits) }
  let running = 0
  let isKnownNext = true

  function takeNext(): Waiting | undefined {
    const first = isKnownNext ? queues.known : queues.other
    const second = isKnownNext ? queues.other : queues.known
    isKnownNext = !isKnownNext
    return (first.isEmpty ? second : first).take()
  }

  return async ({ address, isKnown }, work) => {
    if (running >= limits.concurrentMax) {
      await new Promise<void>((start, refuse) => {
        const waiting = { start, refuse }
        queues[isKnown ? 'known' : 'other'].add(customerOf(address), waiting)
      })
    } else running += 1
    try {
      return await work()
    } finally {
      // The slot is handed on rather than freed, so that a newcomer cannot slip in between.
      const next = takeNext()
      if (next) next.start()
      else running -= 1
    }
  }
}
