import mongoose from 'mongoose'
import { StorageUnavailable, UniqueConflict } from '../../../storage/errors.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'

const { mongo } = mongoose

const duplicateKeyCode = 11_000
/**
 * "Not just now": no primary, shutting down, a lock or disk that is out of reach, a conflict that outlasted
 * every retry, an operation that took too long.
 */
const unavailableCodes = new Set([
  6, 7, 24, 50, 64, 89, 91, 112, 189, 202, 216, 262, 251, 10107, 11600, 11602, 13435, 13436, 14031,
])
const unavailableNames =
  /Network|ServerSelection|NotConnected|TopologyClosed|PoolClosed|PoolCleared|WaitQueueTimeout|Timeout|ClientClosed|ExpiredSession/

const unknownCommit = 'UnknownTransactionCommitResult'

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof mongo.MongoError && error.hasErrorLabel(label)
}

/** The server's own word that it undid a transaction: a write conflict, or a new primary that knows nothing of it. */
export function isUndone(error: unknown): boolean {
  const isAnswer = error instanceof mongo.MongoServerError && error.code !== undefined
  return isAnswer && hasLabel(error, 'TransientTransactionError') && !hasLabel(error, unknownCommit)
}

/** "… index: emailNormalized dup key: …": the name of a unique index is the key of the rule; ids are `_id_`. */
function takenKey(message: string): string {
  const index = /index: (\S+) dup key/.exec(message)?.[1] ?? 'id'
  return index === '_id_' ? 'id' : index
}

/** A unique value, such as the id, is there already. */
export function isTaken(error: unknown): error is mongoose.mongo.MongoServerError {
  return error instanceof mongo.MongoServerError && error.code === duplicateKeyCode
}

/** Runs a write of a kind and says a taken unique value in the port's words. */
export async function orUniqueConflict<T>(kind: Kind, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isTaken(error)) throw new UniqueConflict(kind, takenKey(error.message))
    throw error
  }
}

/** What a socket says that broke under a request. */
const brokenSocketCode = /^E(CONN|PIPE|TIMEDOUT|HOST|NET)/

function isBrokenSocket(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && brokenSocketCode.test(error.code)
}

/** A lost connection, as a write of several rows tells it: with neither the code nor the labels of its cause. */
function isLostWhileWriting(error: Error): boolean {
  return error instanceof mongo.MongoBulkWriteError && error.code === undefined
}

/** Nothing came of it just now; a moment later it may. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if (unavailableNames.test(error.name) || isBrokenSocket(error) || isLostWhileWriting(error)) return true
  if (error instanceof mongo.MongoServerError && unavailableCodes.has(Number(error.code))) return true
  const labels = ['TransientTransactionError', unknownCommit, 'RetryableWriteError']
  return labels.some((label) => hasLabel(error, label))
}

/** What leaves the adapter: an error of the port, or one that names no MongoDB class. */
export function toPortError(error: unknown): unknown {
  if (isUnavailable(error)) return new StorageUnavailable(error.message, { cause: error })
  const isForeign = error instanceof mongo.MongoError || error instanceof mongoose.Error
  return isForeign ? new Error(`the database refused: ${error.message}`, { cause: error }) : error
}
