import { setTimeout as wait } from 'node:timers/promises'
import type { ClientSession } from 'mongoose'
import { isCommitUnknown, isTransient } from './mongo-errors.ts'
import type { Database } from './scope.ts'

/** Longer than an election; shorter than a client's patience. */
const retryForMs = 10_000
const pauseMaxMs = 100

const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } } as const

/** Grows with every try and differs between rivals, so that they do not meet again. */
function pause(tries: number): Promise<void> {
  return wait(Math.random() * Math.min(pauseMaxMs, 2 ** tries))
}

async function commit(session: ClientSession, endsAt: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await session.commitTransaction()
      return
    } catch (error) {
      if (!isCommitUnknown(error) || Date.now() > endsAt) throw error
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
        await commit(session, endsAt)
        return result
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction()
        if (!isTransient(error) || Date.now() > endsAt) throw error
        await pause(tries)
      }
    }
  } finally {
    await session.endSession()
  }
}
