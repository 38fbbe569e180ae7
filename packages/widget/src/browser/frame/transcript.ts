import { type ChatTexts, fill } from '../shared/strings.ts'
import { ApiError, send } from './api.ts'
import { makeIconButton } from './dom.ts'
import type { Session } from './session.ts'
import type { Conversation } from './wire.ts'

interface Options {
  texts: ChatTexts
  session: Session
  onNotice(text: string, isBad: boolean): void
}

/** Mails the current conversation to the address that the visitor has given; without an address there is no button. */
export class TranscriptButton {
  readonly element: HTMLButtonElement
  readonly #options: Options
  #conversationId = ''
  #address = ''

  constructor(options: Options) {
    this.#options = options
    this.element = makeIconButton(options.texts.sendTranscript, '✉', () => void this.#send())
    this.element.hidden = true
  }

  show(current: Conversation | undefined, address: string | null): void {
    this.#conversationId = current?._id ?? ''
    this.#address = address ?? ''
    this.element.hidden = this.#conversationId === '' || this.#address === ''
  }

  async #send(): Promise<void> {
    const { texts, session, onNotice } = this.#options
    const address = this.#address
    this.element.disabled = true
    try {
      const path = `conversations/${encodeURIComponent(this.#conversationId)}/transcript`
      await send(path, { method: 'POST', token: session.token })
      onNotice(fill(texts.transcriptSent, { address }), false)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { status, waitMs = 0 } = error
      const isEarly = status === 429
      const minutes = Math.ceil(waitMs / 60_000)
      onNotice(isEarly ? fill(texts.transcriptLater, { minutes }) : texts.transcriptFailed, true)
    } finally {
      this.element.disabled = false
    }
  }
}
