import type { IdFactory } from '@crmkit/core'
import type { CheckDestination } from '../../ports/http-sender.ts'
import { isoTime } from '../../shared/clock.ts'
import type { AttemptResult, ClaimedAttempt } from '../../storage/records.ts'
import { type AttemptOutcome, nextAttemptAtMs } from './attempt-delivery.ts'

interface ResultParts {
  checkDestination: CheckDestination
  ids: IdFactory
}

type Ended = Pick<AttemptOutcome, 'result' | 'endedMs'>

/** Returns the result of a claimed attempt as it is stored, with the retry that follows it. */
export function toAttemptResult(
  { checkDestination, ids }: ResultParts,
  { claim, result, endedMs }: Ended & { claim: ClaimedAttempt },
): AttemptResult {
  const { webhook, attempt, tenantId, lockToken } = claim
  const { statusCode, error, errorCode, timings, remoteAddress } = result
  const isSuccess = error === null
  const isBlockedLiterally = errorCode === 'BLOCKED' && checkDestination(webhook.url) !== undefined
  const policy = webhook.retryPolicy
  const failed = { result, endedMs, attempt: attempt.attempt, policy, isBlockedLiterally }
  const nextMs = isSuccess ? null : nextAttemptAtMs(failed)
  return {
    tenantId,
    webhookId: webhook._id,
    attemptId: attempt._id,
    lockToken,
    status: isSuccess ? 'success' : 'failed',
    statusCode,
    deliveredAt: isoTime(endedMs),
    responseTime: timings.total,
    error,
    errorCode,
    timings,
    remoteAddress,
    next: nextMs === null ? null : { _id: ids.next('log'), nextAttemptAt: isoTime(nextMs) },
  }
}

/** For example the encryption key was removed. This counts as a failure like any other, so that the retries end. */
export const notPrepared = {
  statusCode: null,
  errorCode: null,
  error: 'The delivery could not be prepared',
  timings: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
  remoteAddress: null,
  retryAfterMs: null,
}
