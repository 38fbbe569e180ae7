import { type ChatTexts, fill } from '../shared/strings.ts'
import { ApiError, ask } from './api.ts'
import { make, makeButton } from './dom.ts'
import type { Session } from './session.ts'
import type { Store } from './store.ts'

interface Options {
  texts: ChatTexts
  session: Session
  store: Store
  /** Whether the inbox has its visitors asked. */
  isAsked: boolean
  onNotice(text: string): void
}

interface CurrentSession {
  data: { email: string | null; verified: boolean }
}

const path = 'sessions/current'

/** Asks an anonymous visitor for an address after the first message; who skips it is not asked again. */
export class EmailQuestion {
  readonly element: HTMLFormElement
  readonly #options: Options
  readonly #field: HTMLInputElement
  readonly #saved: HTMLElement
  readonly #question: HTMLElement
  /** The address of the visitor; null without one, undefined before the server has said it. */
  #address: string | null | undefined
  #token: string | undefined
  /** Called once the address is known. */
  onKnown = () => {}

  constructor(options: Options) {
    this.#options = options
    const { texts } = options
    this.#field = make('input', {
      type: 'email',
      name: 'email',
      autocomplete: 'email',
      required: true,
      maxLength: 254,
      ariaLabel: texts.email,
      placeholder: texts.email,
      dir: 'ltr',
    })
    this.#question = make(
      'div',
      { className: 'email' },
      make('p', {}, texts.emailQuestion),
      this.#field,
      make('button', { type: 'submit' }, texts.saveEmail),
      makeButton(texts.skip, () => this.#skip()),
    )
    this.#saved = make('p', { className: 'quiet', role: 'status' })
    this.element = make('form', { hidden: true }, this.#question, this.#saved)
    this.element.onsubmit = (event) => {
      event.preventDefault()
      void this.#save(this.#field.value.trim())
    }
  }

  get address(): string | null {
    return this.#address ?? null
  }

  /** Shows the question once there is a conversation. An address that was given in another tab or before counts. */
  async show(hasConversation: boolean): Promise<void> {
    const { session, store, isAsked } = this.#options
    const { token } = session
    if (token !== this.#token) {
      this.#token = token
      this.#address = undefined
      this.#saved.textContent = ''
    }
    if (hasConversation && token !== undefined && this.#address === undefined) await this.#read(token)
    const isOpen = isAsked && !session.isSigned && store.read().isEmailSkipped !== true
    this.#question.hidden = this.#saved.textContent !== ''
    this.element.hidden = !(hasConversation && isOpen && (this.#address === null || this.#question.hidden))
  }

  async #read(token: string): Promise<void> {
    // One request, however often the conversation is drawn meanwhile.
    this.#address = ''
    try {
      const { data } = await ask<CurrentSession>(path, { token })
      if (token === this.#token) this.#address = data.email
      this.onKnown()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // The next drawing asks again.
      if (token === this.#token) this.#address = undefined
    }
  }

  async #save(email: string): Promise<void> {
    const { texts, onNotice, session } = this.#options
    const { token } = session
    onNotice('')
    try {
      const { data } = await ask<CurrentSession>(path, { method: 'PUT', token, body: { email } })
      if (token !== this.#token) return
      this.#address = data.email
      this.#saved.textContent = fill(texts.emailSaved, { address: data.email ?? email })
      this.onKnown()
      await this.show(true)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      onNotice(fill(texts.failed, { reason: error.message }))
    }
  }

  #skip(): void {
    this.#options.store.change((saved) => {
      saved.isEmailSkipped = true
    })
    void this.show(true)
  }
}
