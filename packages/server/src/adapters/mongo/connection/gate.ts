import { StorageUnavailable } from '../../../storage/errors.ts'
import { toPortError } from './mongo-errors.ts'

/** Every call of the storage runs through the gate, which closes with the storage. */
export interface Gate {
  /** Runs a call and turns its errors into those of the port. Rejects with `StorageUnavailable` once it is closed. */
  pass<T>(work: () => Promise<T>): Promise<T>
  /** Refuses further calls and waits for the running ones. */
  close(): Promise<void>
}

export function createGate(): Gate {
  const running = new Set<Promise<unknown>>()
  let isClosed = false

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toPortError(error)
    }
  }

  return {
    pass(work) {
      if (isClosed) return Promise.reject(new StorageUnavailable('the storage is closed'))
      const run = counted(work)
      running.add(run)
      const leave = () => void running.delete(run)
      run.then(leave, leave)
      return run
    },
    async close() {
      isClosed = true
      await Promise.allSettled(running)
    },
  }
}
