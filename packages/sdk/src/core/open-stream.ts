import { apiErrorOf, unreadableResponse } from './api-error-of.ts'
import type { Fetch } from './attempt.ts'
import type { Credentials } from './credentials.ts'
import { ConnectionError } from './errors.ts'

interface StreamCall {
  readonly url: string
  readonly headers: Headers
  readonly credentials: Credentials
  readonly fetch: Fetch
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
}

/** Requests a stream and returns its response after the headers; the signal also ends the body. */
export async function openStream(call: StreamCall): Promise<Response> {
  const { credentials } = call
  const token = await credentials.token()
  const response = await send(call, token)
  if (response.status !== 401 || credentials.renew === undefined) return checked(response)
  await response.body?.cancel()
  await credentials.renew(token)
  return checked(await send(call, await credentials.token()))
}

async function send(
  { url, headers: shared, fetch, lastEventId, signal }: StreamCall,
  token: string | undefined,
): Promise<Response> {
  const headers = new Headers(shared)
  headers.set('accept', 'text/event-stream')
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId)
  try {
    return await fetch(url, { headers: Object.fromEntries(headers), redirect: 'manual', signal })
  } catch (cause) {
    throw new ConnectionError('The stream cannot be opened. Is baseUrl right, and the server running?', {
      cause,
    })
  }
}

async function checked(response: Response): Promise<Response> {
  if (!response.ok) throw apiErrorOf(response, await response.text())
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream) throw unreadableResponse(response, await response.text())
  return response
}
