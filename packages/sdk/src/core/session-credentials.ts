import type { Login, Session } from '../resources/types.gen.ts'
import type { Credentials } from './credentials.ts'
import { AuthenticationError } from './errors.ts'

/** Time before its expiry at which a token is renewed, so that it does not expire in transit. */
const expiryMarginMs = 10_000

export interface SessionCalls {
  login(body: Login): PromiseLike<Session>
  refresh(refreshToken: string): PromiseLike<Session>
}

interface Tokens {
  access: string
  refresh: string
  endsAt: number
}

/** Signs in at the first call and renews the session. Concurrent calls share one renewal. */
export function sessionCredentials(login: Login, calls: SessionCalls): Credentials {
  let tokens: Tokens | undefined
  let renewal: Promise<Tokens> | undefined

  async function fetchTokens(): Promise<Tokens> {
    const session = (await refreshed()) ?? (await calls.login(login))
    const endsAt = Date.now() + session.expiresIn * 1000
    return { access: session.accessToken, refresh: session.refreshToken, endsAt }
  }

  /** Undefined when the session is over and the password is needed again. */
  async function refreshed(): Promise<Session | undefined> {
    if (tokens === undefined) return undefined
    try {
      return await calls.refresh(tokens.refresh)
    } catch (error) {
      if (error instanceof AuthenticationError) return undefined
      throw error
    }
  }

  async function renewed(): Promise<Tokens> {
    renewal ??= fetchTokens().finally(() => {
      renewal = undefined
    })
    tokens = await renewal
    return tokens
  }

  return {
    async token() {
      const isFresh = tokens !== undefined && Date.now() < tokens.endsAt - expiryMarginMs
      return (isFresh && tokens ? tokens : await renewed()).access
    },
    async renew(refused) {
      // Another call may have renewed it already.
      if (tokens === undefined || tokens.access === refused) await renewed()
    },
  }
}
