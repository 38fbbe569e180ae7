import { setTimeout as wait } from 'node:timers/promises'
import type { ClientSession } from 'mongoose'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { StorageUnavailable } from '../../../storage/errors.ts'
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

/**
 * Does work again that a lost primary interrupted and that may safely be done twice. Shorter than a commit tries:
 * whoever looks for due work comes back anyway.
 */
export async function untilAnswered<T>(work: () => Promise<T>, forMs: number): Promise<T> {
  const endsAt = Date.now() + forMs
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > endsAt) throw error
      await pause(tries)
    }
  }
}

/** The first tries take a whole page. What loses again and again takes less, in the end only what hides the rest. */
export function pageSizeOf(tries: number, limit: number): number {
  return tries <= 2 ? limit : limit >> (2 * (tries - 2))
}

/** What became of one try: its result, or why it may be tried again. */
type Outcome<T> = { result: T } | { undoneBy: Error }

async function tryOnce<T>(
  session: ClientSession,
  work: () => Promise<T>,
  endsAt: number,
): Promise<Outcome<T>> {
  session.startTransaction(options)
  try {
    const result = await work()
    passFaultPoint('before-durable')
    if (await isCommitted(session, endsAt)) {
      passFaultPoint('after-durable')
      return { result }
    }
    return { undoneBy: new StorageUnavailable('rivals undid the commit again and again') }
  } catch (error) {
    // After a commit was asked for there is nothing to abort, and nothing that may be done again.
    if (!session.inTransaction()) throw error
    if (isUnavailable(error)) return { undoneBy: error }
    await session.abortTransaction()
    throw error
  }
}

/**
 * Ends a session, and with it the transaction that it may still hold. Nobody waits for it: a new primary answers to
 * an abort only when the others follow it, seconds after it could take the next try.
 */
function leave(session: ClientSession): void {
  session.endSession().catch(() => undefined)
}

/**
 * Runs `work` as one transaction, again from its start when a rival or a lost primary undid it. Work that touches many
 * rows may do less the more `tries` there were: short rivals would undo it for ever.
 */
export async function inTransaction<T>(
  database: Database,
  work: (session: ClientSession, tries: number) => Promise<T>,
): Promise<T> {
  const endsAt = Date.now() + retryForMs
  for (let tries = 1; ; tries++) {
    const session = await database.startSession()
    try {
      const outcome = await tryOnce(session, () => work(session, tries), endsAt)
      if ('result' in outcome) return outcome.result
      if (Date.now() > endsAt) throw outcome.undoneBy
    } finally {
      leave(session)
    }
    await pause(tries)
  }
}
