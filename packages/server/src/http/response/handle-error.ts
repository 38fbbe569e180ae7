import { type ErrorEnvelope, Failure, validationFailure } from '@crmkit/core'
import type { Log, RequestFields } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import {
  DatabaseUpgraded,
  InvalidCursor,
  StorageUnavailable,
  UniqueConflict,
  VersionConflict,
} from '../../storage/errors.ts'
import { DamagedRow } from '../../storage/rules/readable-rows.ts'
import type { Reply } from './send-reply.ts'

interface FailedRequest {
  request: RequestFields
  log: Log
  meters: Pick<Meters, 'errorReplied'>
}

/** Returns the reply to anything that was thrown. An unknown failure gets a fixed text and is logged. */
export function replyToError(error: unknown, { request, log, meters }: FailedRequest): Reply {
  const failure = toFailure(error)
  meters.errorReplied(failure.code)
  if (failure.status >= 500) log.error({ err: error, ...request }, failure.message)
  const envelope: ErrorEnvelope = {
    success: false,
    error: failure.message,
    code: failure.code,
    requestId: request.requestId,
    ...(failure.details !== undefined && { details: failure.details }),
    ...failure.extra,
  }
  return { status: failure.status, body: JSON.stringify(envelope), headers: failure.headers }
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof InvalidCursor) {
    return validationFailure([
      { field: 'cursor', message: 'is not a cursor of this list', rule: 'cursor', in: 'query' },
    ])
  }
  if (error instanceof UniqueConflict) return new Failure('CONFLICT', takenMessage(error))
  if (error instanceof DatabaseUpgraded) {
    return new Failure('UPGRADE', 'This server is older than its database and ends soon; try again', {
      headers: { 'Retry-After': '5' },
    })
  }
  if (error instanceof StorageUnavailable || error instanceof VersionConflict) {
    return new Failure('SERVICE_UNAVAILABLE', 'The service cannot store this at the moment; try again', {
      headers: { 'Retry-After': '1' },
    })
  }
  if (error instanceof DamagedRow) return new Failure('ROW_DAMAGED', 'The stored row cannot be read')
  return new Failure('INTERNAL_ERROR', 'Something went wrong on our side')
}

/** Of what a caller can choose, the only unique value is a user's e-mail. */
function takenMessage({ kind, key }: UniqueConflict): string {
  const isEmail = kind === 'users' && key === 'emailNormalized'
  return isEmail ? 'A user of this tenant has this e-mail already' : 'A value that must be unique is taken'
}
