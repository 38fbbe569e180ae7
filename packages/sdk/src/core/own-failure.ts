import { ApiError, type ApiErrorFields, ConnectionError, CrmError, TimeoutError } from './errors.ts'

/**
 * The failure of a sign-in or a renewal as an error of the call that waited for it. Concurrent calls share
 * one renewal. If they shared its error too, the `attempts` of the last call would replace those of the others.
 */
export function ownFailureOf(shared: unknown): unknown {
  if (!(shared instanceof CrmError)) return shared
  const own = sameKind(shared)
  own.cause = shared
  return own
}

function sameKind(error: CrmError): CrmError {
  if (error instanceof ApiError) {
    const Class = error.constructor as new (message: string, fields: ApiErrorFields) => ApiError
    return new Class(error.message, error)
  }
  if (error instanceof TimeoutError) return new TimeoutError(error.scope, error.limitMs)
  return error instanceof ConnectionError ? new ConnectionError(error.message) : new CrmError(error.message)
}
