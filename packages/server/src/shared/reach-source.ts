import { SourceFailure } from '../ports/connector.ts'

/** Interactive requests to a source end after this time. */
const timeoutMs = 15_000

/** Calls a source for a person who waits. Throws a `SourceFailure`, also when it takes too long. */
export async function reachSource<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    return await call(signal)
  } catch (error) {
    if (signal.aborted) throw new SourceFailure('transient', 'The source did not respond in time')
    throw error
  }
}

/** Whether the source was reached and refuses the credentials. */
export function isRefusal(failure: SourceFailure): boolean {
  return ['auth', 'forbidden', 'fatal'].includes(failure.kind)
}
