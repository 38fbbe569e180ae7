import { AuthenticationError, type Session } from '@crmkit/sdk'
import { Crm } from './crm.ts'

/** Time before its expiry at which a token is renewed, so that it does not expire in transit. */
const expiryMarginMs = 30_000

/** Stands in place of the token after a sign-out, so that other tabs can distinguish it from an expiry. */
const signedOut = '"signed out"'

interface Stored {
  readonly refreshToken: string
  readonly userId: string
}

interface Access {
  readonly token: string
  readonly endsAtMs: number
}

interface Listener {
  /** The session is over: `signedOut` by the person, in this tab or another one; `expired` by the service. */
  ended(reason: 'signedOut' | 'expired'): void
  /** Another tab signed in as somebody else: this page shows another person's data. */
  replaced(): void
}

/**
 * The session of this browser at one service. The access token is in memory alone. The refresh token is in localStorage,
 * shared by all tabs, and is rotated under a Web Lock, so that two tabs never use one token twice (ADR 0028).
 */
export class BrowserSession {
  /** Name that everything of this session in the browser begins with. */
  readonly name: string
  readonly #baseUrl: string
  readonly #anonymous: Crm
  readonly #listener: Listener
  #access: Access | undefined
  #userId: string | undefined
  #renewal: Promise<Session | undefined> | undefined

  constructor(baseUrl: string, listener: Listener) {
    this.name = `crm-console:${new URL(baseUrl).pathname}`
    this.#baseUrl = baseUrl
    this.#anonymous = new Crm({ baseUrl })
    this.#listener = listener
    window.addEventListener('storage', ({ key, storageArea }) => {
      if (storageArea !== localStorage || (key !== null && key !== this.name)) return
      this.#otherTabChanged()
    })
  }

  /** Undefined when nobody is signed in. Throws when the service cannot be reached. */
  resume(): Promise<Session | undefined> {
    return this.#renew()
  }

  /** The session of another team of the person ends: a browser has one. */
  async signIn(credentials: { email: string; password: string; tenantId?: string }): Promise<Session> {
    const before = this.#access?.token
    const session = await this.#anonymous.auth.login(credentials)
    this.accept(session)
    if (before !== undefined) void this.#endAtService(before)
    return session
  }

  /** Always succeeds, also for an e-mail that the service does not know. */
  async requestPasswordReset(email: string): Promise<void> {
    await this.#anonymous.auth.requestPasswordReset({ email })
  }

  /** The bearer token of the next call. Throws an `AuthenticationError` when the session is over. */
  async token(): Promise<string> {
    if (this.#access !== undefined && Date.now() < this.#access.endsAtMs - expiryMarginMs)
      return this.#access.token
    await this.#renew()
    return this.#access?.token ?? ''
  }

  /** Another token after the service refused `refused`; undefined when the session is over. */
  async tokenAfter(refused: string): Promise<string | undefined> {
    if (this.#access === undefined || this.#access.token === refused) await this.#renew()
    return this.#access?.token
  }

  /** Ends the session in all tabs, and at the service as far as it can be reached. */
  async signOut(): Promise<void> {
    const accessToken = this.#access?.token
    localStorage.setItem(this.name, signedOut)
    this.#forget('signedOut')
    if (accessToken !== undefined) await this.#endAtService(accessToken)
  }

  async #endAtService(accessToken: string): Promise<void> {
    const crm = new Crm({ baseUrl: this.#baseUrl, accessToken, maxRetries: 0 })
    await crm.auth.logout().catch(() => undefined)
  }

  #renew(): Promise<Session | undefined> {
    this.#renewal ??= navigator.locks
      .request(`${this.name}:refresh`, () => this.#rotate())
      .finally(() => {
        this.#renewal = undefined
      })
    return this.#renewal
  }

  async #rotate(): Promise<Session | undefined> {
    const stored = this.#stored()
    if (stored === undefined) return undefined
    try {
      const session = await this.#anonymous.auth.refresh({ refreshToken: stored.refreshToken })
      this.accept(session)
      return session
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error
      localStorage.removeItem(this.name)
      this.#forget('expired')
      return undefined
    }
  }

  /** Takes up a session that the service has just made. */
  accept({ accessToken, refreshToken, expiresIn, user }: Session): void {
    this.#access = { token: accessToken, endsAtMs: Date.now() + expiresIn * 1_000 }
    localStorage.setItem(this.name, JSON.stringify({ refreshToken, userId: user._id } satisfies Stored))
    this.#userId = user._id
  }

  #forget(reason: 'signedOut' | 'expired'): void {
    this.#access = undefined
    this.#userId = undefined
    this.#listener.ended(reason)
  }

  #stored(): Stored | undefined {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.name) ?? 'null')
      return isStored(stored) ? stored : undefined
    } catch {
      return undefined
    }
  }

  #otherTabChanged(): void {
    const stored = this.#stored()
    if (stored === undefined && this.#userId === undefined) return
    if (stored === undefined) {
      this.#forget(localStorage.getItem(this.name) === signedOut ? 'signedOut' : 'expired')
    } else if (stored.userId !== this.#userId) this.#listener.replaced()
  }
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false
  const { refreshToken, userId } = value as Partial<Stored>
  return typeof refreshToken === 'string' && typeof userId === 'string'
}
