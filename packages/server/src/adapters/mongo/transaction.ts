import { setTimeout as wait } from 'node:timers/promises'
import type { ClientSession } from 'mongoose'
import { StorageUnavailable } from '../../ports/storage.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { isUnavailable, isUndone } from './mongo-errors.ts'
import type { Database } from './scope.ts'

/** Longer than an election; shorter than a client's patience. */
const retryForMs = 10_000
const pauseMaxMs = 100

const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } } as const

/** Grows with every try and differs between rivals, so that they do not meet again. */
function pause(tries: number): Promise<void> {
  return wait(Math.random() * Math.min(pauseMaxMs, 2 ** tries))
}

/**
 * Answers whether the transaction was made; false when the server undid it. As long as nobody knows, the same
 * commit is asked for again, and the work is never: it could be made twice.
 */
async function isCommitted(session: ClientSession, endsAt: number): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      await session.commitTransaction()
      return true
    } catch (error) {
      if (isUndone(error)) return false
      if (!isUnavailable(error) || Date.now() > endsAt) throw error
      await pause(tries)
    }
  }
}

/** Runs `work` as one transaction, again from its start when a rival or a lost primary undid it. */
export async function inTransaction<T>(
  database: Database,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const endsAt = Date.now() + retryForMs
  const session = await database.startSession()
  try {
    for (let tries = 1; ; tries++) {
      session.startTransaction(options)
      try {
        const result = await work(session)
        passFaultPoint('before-durable')
        if (await isCommitted(session, endsAt)) {
          passFaultPoint('after-durable')
          return result
        }
        if (Date.now() > endsAt) throw new StorageUnavailable('rivals undid the commit again and again')
      } catch (error) {
        // After a commit was asked for there is nothing to abort, and nothing that may be done again.
        if (!session.inTransaction()) throw error
        await session.abortTransaction()
        if (!isUnavailable(error) || Date.now() > endsAt) throw error
      }
      await pause(tries)
    }
  } finally {
    await session.endSession()
  }
}
