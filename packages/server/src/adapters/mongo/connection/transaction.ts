import { setTimeout as wait } from 'node:timers/promises'
import type { ClientSession } from 'mongoose'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { StorageUnavailable } from '../../../storage/errors.ts'
import type { Database } from './access.ts'
import { isAborted, isUnavailable } from './mongo-errors.ts'

/** Longer than an election; shorter than a client's patience. */
const retryForMs = 10_000
const pauseMaxMs = 100

const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } } as const

/** The pause grows with every try and is random, so that conflicting transactions do not meet again. */
function pause(tries: number): Promise<void> {
  return wait(Math.random() * Math.min(pauseMaxMs, 2 ** tries))
}

/**
 * Commits the transaction. Returns false when the server aborted it. While the result is unknown, the commit is
 * repeated but never the work, which could be done twice.
 */
async function isCommitted(session: ClientSession, endsAt: number): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      await session.commitTransaction()
      return true
    } catch (error) {
      if (isAborted(error)) return false
      if (!isUnavailable(error) || Date.now() > endsAt) throw error
      await pause(tries)
    }
  }
}

/**
 * Repeats work that a lost primary interrupted and that may safely be done twice, for `forMs` at most. That is shorter
 * than for a commit: the next poll for due jobs comes anyway.
 */
export async function untilAvailable<T>(work: () => Promise<T>, forMs: number): Promise<T> {
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

/** Returns the size of a page: whole for the first tries, smaller after repeated conflicts, in the end 0. */
export function pageSizeOf(tries: number, limit: number): number {
  return tries <= 2 ? limit : limit >> (2 * (tries - 2))
}

/** The outcome of one try: its result, or the error after which it may be tried again. */
type Outcome<T> = { result: T } | { abortedBy: Error }

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
    return { abortedBy: new StorageUnavailable('the commit was aborted repeatedly by write conflicts') }
  } catch (error) {
    // Once a commit was sent, nothing can be aborted and nothing may be repeated.
    if (!session.inTransaction()) throw error
    if (isUnavailable(error)) return { abortedBy: error }
    await session.abortTransaction()
    throw error
  }
}

/**
 * Ends a session, and with it the transaction that it may still hold. The caller does not wait for it: a new primary
 * replies to an abort only when the others follow it, seconds after it could take the next try.
 */
function endInBackground(session: ClientSession): void {
  session.endSession().catch(() => undefined)
}

/**
 * Runs `work` as one transaction, again from its start when a conflict or a lost primary aborted it. Work that writes
 * many rows should do less the more `tries` there were: short transactions would abort it endlessly.
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
      if (Date.now() > endsAt) throw outcome.abortedBy
    } finally {
      endInBackground(session)
    }
    await pause(tries)
  }
}
