import { StorageUnavailable } from '../../../storage/errors.ts'
import { toPortError } from './mongo-errors.ts'

/** Every call of the storage runs through the gate, which closes with the storage. */
export interface Gate {
  /** Runs a call and turns its errors into those of the port. Rejects with `StorageUnavailable` once it is closed. */
  pass<T>(work: () => Promise<T>): Promise<T>
  /** Refuses further calls with this error. */
  refuse(error: StorageUnavailable): void
  /** Refuses further calls and waits for the running ones. */
  close(): Promise<void>
}

/** `proof` resolves when a call may run; undefined: immediately. */
export function createGate(proof: () => Promise<void> | undefined = () => undefined): Gate {
  const running = new Set<Promise<unknown>>()
  let refusal: StorageUnavailable | undefined

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toPortError(error)
    }
  }

  async function afterProof<T>(proven: Promise<void>, work: () => Promise<T>): Promise<T> {
    await proven
    if (refusal) throw refusal
    return work()
  }

  return {
    pass(work) {
      if (refusal) return Promise.reject(refusal)
      const proven = proof()
      const run = counted(proven === undefined ? work : () => afterProof(proven, work))
      running.add(run)
      const leave = () => void running.delete(run)
      run.then(leave, leave)
      return run
    },
    refuse(error) {
      refusal ??= error
    },
    async close() {
      refusal ??= new StorageUnavailable('the storage is closed')
      await Promise.allSettled(running)
    },
  }
}
