import { FollowingController, orAborted } from './call-signal.ts'
import { ConnectionError, TimeoutError } from './errors.ts'
import type { FormBody } from './form-body.ts'

/** As the platform's own. The client calls it with an address and an `init` of plain values. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** A response of any status whose body has been read, unless it is a file. */
export interface ReadResponse {
  response: Response
  text: string
}

interface AttemptOptions {
  readonly fetch: Fetch
  /** The body of an upload, which the request does not have. */
  readonly form: FormBody | undefined
  readonly isFile: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * One request, from connecting to the last byte of the response, within `timeoutMs`. Throws a TimeoutError, a
 * ConnectionError, or the reason of `signal`.
 */
export async function attempt(
  request: Request,
  { fetch, form, isFile, timeoutMs, signal }: AttemptOptions,
): Promise<ReadResponse> {
  // One signal for headers and body: a response that stalls half-way ends at the timeout too.
  const controller = new FollowingController(signal)
  controller.abortAfter(timeoutMs, () => new TimeoutError('attempt', timeoutMs))
  try {
    return await orAborted(read(), controller.signal)
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    throw connectionError(error)
  } finally {
    controller.release()
  }

  async function read(): Promise<ReadResponse> {
    const { method, url, headers } = request
    // Plain values: a `fetch` of another package does not know this platform's Request.
    const response = await fetch(url, {
      method,
      headers: Object.fromEntries(headers),
      ...(form ? form.init() : await bodyOf(request)),
      redirect: 'manual',
      signal: controller.signal,
    })
    return { response, text: isFile && response.ok ? '' : await response.text() }
  }
}

async function bodyOf(request: Request): Promise<RequestInit> {
  return request.headers.has('content-type') ? { body: await request.text() } : {}
}

function connectionError(cause: unknown): ConnectionError {
  // Node's fetch says only "fetch failed"; the system's code is one level down.
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause
  const code =
    typeof inner === 'object' && inner !== null && 'code' in inner ? ` (${String(inner.code)})` : ''
  return new ConnectionError(
    `No response from the server${code}. Is baseUrl right, and the server running?`,
    {
      cause,
    },
  )
}
