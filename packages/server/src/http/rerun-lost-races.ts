import { UniqueConflict, VersionConflict } from '../ports/storage.ts'

const runsMax = 5

/** Another commit was quicker; on the fresh rows the work may be decided otherwise. */
function isLostRace(error: unknown): boolean {
  return error instanceof VersionConflict || error instanceof UniqueConflict
}

/**
 * Does work again that lost a race, at most five times in all. What lost waits in a lane, and what comes later
 * stands behind it, so that many changes of one resource are made one after the other: all at once, only one
 * of them would win in each round and most would give up.
 */
export class LostRaces {
  /** The last work in each lane. */
  readonly #lanes = new Map<string, Promise<void>>()

  async rerun<T>(lane: string, work: () => Promise<T>): Promise<T> {
    if (this.#lanes.has(lane)) return this.#inLane(lane, () => runUntilWon(work, runsMax))
    try {
      return await work()
    } catch (error) {
      if (!isLostRace(error)) throw error
    }
    return this.#inLane(lane, () => runUntilWon(work, runsMax - 1))
  }

  async #inLane<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#lanes.get(lane)
    const { promise: mine, resolve: leave } = Promise.withResolvers<void>()
    this.#lanes.set(lane, mine)
    await before
    try {
      return await work()
    } finally {
      leave()
      if (this.#lanes.get(lane) === mine) this.#lanes.delete(lane)
    }
  }
}

async function runUntilWon<T>(work: () => Promise<T>, runs: number): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await work()
    } catch (error) {
      if (!isLostRace(error) || run >= runs) throw error
    }
  }
}
