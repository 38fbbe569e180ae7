import { ApiError, ask, send } from './api.ts'
import type { Store } from './store.ts'
import { subjectOf } from './token.ts'

/** No session can be made until the page has identified its visitor. */
export class IdentityNeeded extends Error {}

interface CreatedSession {
  data: { sessionToken: string }
}

/** The session of this browser: made by the first message or by `identify`, never by a page view. */
export class Session {
  readonly #key: string
  readonly #store: Store
  readonly #origin: string
  readonly #isIdentityRequired: boolean
  /** Counts log-outs: the reply to a request from before one belongs to nobody. */
  visitor = 0
  /** Shown to the agent with a conversation. */
  page = ''
  /** A signed session has ended: the page is asked to identify its visitor again. */
  isIdentityAwaited = false

  constructor({
    key,
    store,
    origin,
    isIdentityRequired,
  }: { key: string; store: Store; origin: string; isIdentityRequired: boolean }) {
    this.#key = key
    this.#store = store
    this.#origin = origin
    this.#isIdentityRequired = isIdentityRequired
  }

  get token(): string | undefined {
    return this.#store.read().token
  }

  get isSigned(): boolean {
    return this.#store.read().subject !== undefined
  }

  /**
   * Whether the session belongs to somebody else than the person of this token: to another signed one, or to a visitor who
   * began on a page of another origin. Such a page could hand over the token of its own user, and with it the conversations.
   */
  isOfAnother(userToken: string): boolean {
    const { subject, origin } = this.#store.read()
    if (subject !== undefined) return !this.isOf(userToken)
    return origin !== undefined && origin !== this.#origin
  }

  /** Returns the token; makes an anonymous session when there is none. Throws ApiError, IdentityNeeded. */
  ensure(): Promise<string> {
    return this.#store.alone(async () => {
      const { token } = this.#store.read()
      if (token !== undefined) return token
      if (this.#isIdentityRequired || this.isIdentityAwaited) throw new IdentityNeeded()
      const visitor = this.visitor
      const sessionToken = await this.#create({})
      if (visitor !== this.visitor) {
        endOnServer(sessionToken)
        throw new ApiError(0, 'the visitor has logged out')
      }
      this.#store.change((saved) => {
        saved.token = sessionToken
        saved.origin = this.#origin
      })
      return sessionToken
    })
  }

  /** Returns whether a session of the same person runs already. */
  isOf(userToken: string): boolean {
    const { token, subject } = this.#store.read()
    return token !== undefined && subject !== undefined && subject === subjectOf(userToken)
  }

  /** Begins a signed session; an anonymous one is passed along, so that its conversations move. Throws ApiError. */
  identify(userToken: string, isCurrent: () => boolean): Promise<void> {
    return this.#store.alone(async () => {
      if (this.isOf(userToken)) return
      const { token } = this.#store.read()
      const sessionToken = await this.#create({ userToken, token })
      // Meanwhile the page has logged its visitor out.
      if (!isCurrent()) {
        endOnServer(sessionToken)
        return
      }
      this.isIdentityAwaited = false
      this.#store.change((saved) => {
        saved.token = sessionToken
        saved.subject = subjectOf(userToken) ?? ''
        delete saved.origin
      })
    })
  }

  /** The server no longer knows the token. Unsent texts stay. */
  drop(): void {
    this.isIdentityAwaited = this.isSigned
    this.#store.change((saved) => {
      delete saved.token
      delete saved.subject
      delete saved.origin
      for (const unsent of saved.unsent) unsent.conversationId = null
    })
  }

  /** Log-out: nothing of the visitor stays in the browser. */
  end(): void {
    const { token } = this.#store.read()
    if (token !== undefined) endOnServer(token)
    this.isIdentityAwaited = false
    this.visitor++
    this.#store.clear()
  }

  async #create({ userToken, token }: { userToken?: string; token?: string | undefined }): Promise<string> {
    const body = { key: this.#key, ...(userToken && { userToken }), ...(this.page && { page: this.page }) }
    const { data } = await ask<CreatedSession>('sessions', { method: 'POST', body, token })
    return data.sessionToken
  }
}

function endOnServer(token: string): void {
  send('sessions/current', { method: 'DELETE', token, keepalive: true }).catch((error: unknown) => {
    // Without a connection the session ends on the server when it expires.
    if (!(error instanceof ApiError)) throw error
  })
}
