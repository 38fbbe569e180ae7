import mongoose from 'mongoose'
import { StorageUnavailable, UniqueConflict } from '../../../storage/errors.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'

const { mongo } = mongoose

const duplicateKeyCode = 11_000
/**
 * Errors that mean "unavailable at present": no primary, a shutdown, an unreachable lock or disk, a conflict that
 * outlasted every retry, an operation that took too long.
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

/** Returns whether the server says that it aborted the transaction: a write conflict, or a new primary without it. */
export function isAborted(error: unknown): boolean {
  const isServerError = error instanceof mongo.MongoServerError && error.code !== undefined
  return isServerError && hasLabel(error, 'TransientTransactionError') && !hasLabel(error, unknownCommit)
}

/** Reads the key from "… index: emailNormalized dup key: …": a unique index has its name; ids have `_id_`. */
function takenKey(message: string): string {
  const index = /index: (\S+) dup key/.exec(message)?.[1] ?? 'id'
  return index === '_id_' ? 'id' : index
}

/** Returns whether a unique value, such as the id, exists already. */
export function isTaken(error: unknown): error is mongoose.mongo.MongoServerError {
  return error instanceof mongo.MongoServerError && error.code === duplicateKeyCode
}

/** Runs a write of a kind. Throws `UniqueConflict` when a unique value exists already. */
export async function orUniqueConflict<T>(kind: Kind, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isTaken(error)) throw new UniqueConflict(kind, takenKey(error.message))
    throw error
  }
}

/** The error codes of a socket that broke during a request. */
const brokenSocketCode = /^E(CONN|PIPE|TIMEDOUT|HOST|NET)/

function isBrokenSocket(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && brokenSocketCode.test(error.code)
}

/** Recognises a lost connection in the error of a bulk write, which has neither the code nor the labels of its cause. */
function isLostWhileWriting(error: Error): boolean {
  return error instanceof mongo.MongoBulkWriteError && error.code === undefined
}

/** Returns whether the database was unavailable: the same call may succeed a moment later. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if (unavailableNames.test(error.name) || isBrokenSocket(error) || isLostWhileWriting(error)) return true
  if (error instanceof mongo.MongoServerError && unavailableCodes.has(Number(error.code))) return true
  const labels = ['TransientTransactionError', unknownCommit, 'RetryableWriteError']
  return labels.some((label) => hasLabel(error, label))
}

/** Turns an error into one of the port, or into one without any MongoDB class. */
export function toPortError(error: unknown): unknown {
  if (isUnavailable(error)) return new StorageUnavailable(error.message, { cause: error })
  const isForeign = error instanceof mongo.MongoError || error instanceof mongoose.Error
  return isForeign ? new Error(`the database refused: ${error.message}`, { cause: error }) : error
}
