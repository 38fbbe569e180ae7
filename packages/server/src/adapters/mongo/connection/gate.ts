import { StorageUnavailable } from '../../../storage/errors.ts'
import { toPortError } from './mongo-errors.ts'

/** What every call of the storage passes: counted while it runs, refused after the end, its errors in the port's words. */
export interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>
  /** Lets nobody in any more, and waits for those inside. */
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
