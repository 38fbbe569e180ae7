import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'

/** Every loss over a version is somebody else's success, so a long row of them is rare, and worth going on. */
const runsMax = 20
/** A value that is taken may be taken for good. */
const runsOfTakenMax = 5

export interface Queues {
  /** For what lost against another change of the same resource. */
  resource: string
  /** For what lost against a change of another resource, or because of a rule over the whole tenant. */
  tenant: string
}

/** Another commit was quicker; on the fresh rows the work may be decided otherwise. */
function isLostRace(error: unknown): boolean {
  return error instanceof VersionConflict || error instanceof UniqueConflict
}

function isLostOverTenant(error: unknown): boolean {
  return error instanceof VersionConflict && error.kind === 'tenants'
}

/**
 * Does work again that lost a race. What lost waits in a delivery queue, and what comes later stands behind it, so that many
 * changes of one resource are made one after the other: all at once, only one of them would win in each round and most
 * would give up. What lost over the tenant, or again although it had its resource for itself, waits in the tenant's delivery queue
 * as well: changes of ten inboxes are in each other's way just as much. It keeps its place in the first delivery queue meanwhile,
 * or whoever comes later would go past it.
 */
export class LostRaces {
  /** The last work in each delivery queue. */
  readonly #deliveryQueues = new Map<string, Promise<void>>()

  rerun<T>(deliveryQueues: Queues, work: () => Promise<T>): Promise<T> {
    const { resource } = deliveryQueues
    const again = (lost: unknown) => this.#runAgain(deliveryQueues, { work, lost })
    if (this.#deliveryQueues.has(resource))
      return this.#inDeliveryQueue(resource, () => unlessLost(work, again))
    return unlessLost(work, (lost) => this.#inDeliveryQueue(resource, () => again(lost)))
  }

  /** The first of the tenant's queue waits for no other queue, so none waits permanently. */
  #runAgain<T>({ tenant }: Queues, { work, lost }: { work: () => Promise<T>; lost: unknown }): Promise<T> {
    const runInTenantQueue = () => this.#inDeliveryQueue(tenant, () => runUntilWon(work))
    return isLostOverTenant(lost) ? runInTenantQueue() : unlessLost(work, runInTenantQueue)
  }

  async #inDeliveryQueue<T>(deliveryQueue: string, work: () => Promise<T>): Promise<T> {
    const before = this.#deliveryQueues.get(deliveryQueue)
    const { promise: mine, resolve: leave } = Promise.withResolvers<void>()
    this.#deliveryQueues.set(deliveryQueue, mine)
    await before
    try {
      return await work()
    } finally {
      leave()
      if (this.#deliveryQueues.get(deliveryQueue) === mine) this.#deliveryQueues.delete(deliveryQueue)
    }
  }
}

async function unlessLost<T>(work: () => Promise<T>, again: (lost: unknown) => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isLostRace(error)) throw error
    return again(error)
  }
}

async function runUntilWon<T>(work: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await work()
    } catch (error) {
      const most = error instanceof UniqueConflict ? runsOfTakenMax : runsMax
      if (!isLostRace(error) || run >= most) throw error
    }
  }
}
