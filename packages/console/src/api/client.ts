import { type Signal, signal } from '@preact/signals'
import { Crm } from './crm.ts'
import type { BrowserSession } from './session.ts'

/** When the service takes requests of this person again, which the client waits for; 0: it does. */
export const resumesAtMs: Signal<number> = signal(0)

interface ClientOptions {
  readonly baseUrl: string
  readonly session: BrowserSession
  /** Whether the service was reached by the last request. */
  onReach(isReachable: boolean): void
}

/** The SDK's client with the session of this browser: a refused token is renewed once. */
export function createClient({ baseUrl, session, onReach }: ClientOptions): Crm {
  const send = async (input: string, init: RequestInit) => {
    try {
      const response = await fetch(input, init)
      onReach(response.status < 502)
      if (response.status === 429)
        resumesAtMs.value = Date.now() + Number(response.headers.get('retry-after')) * 1_000
      return response
    } catch (error) {
      if (!init.signal?.aborted) onReach(false)
      throw error
    }
  }
  return new Crm({
    baseUrl,
    accessToken: () => session.token(),
    async fetch(input, init) {
      const response = await send(input, init)
      if (response.status !== 401) return response
      const headers = new Headers(init.headers)
      const refused = headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
      const token = await session.tokenAfter(refused)
      if (token === undefined || token === refused) return response
      await response.body?.cancel()
      headers.set('authorization', `Bearer ${token}`)
      return send(input, { ...init, headers: Object.fromEntries(headers) })
    },
  })
}
