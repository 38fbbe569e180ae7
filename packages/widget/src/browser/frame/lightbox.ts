import type { ChatTexts } from '../shared/strings.ts'
import { make, makeIconButton } from './dom.ts'

/** Shows one picture as large as the frame. The dialog of the browser keeps the keyboard inside, and closes with Escape. */
export class Lightbox {
  readonly #dialog: HTMLDialogElement
  readonly #close: HTMLButtonElement

  constructor(texts: ChatTexts) {
    const close = () => this.#dialog.close()
    this.#close = makeIconButton(texts.closePicture, '×', close)
    this.#dialog = make('dialog', { className: 'lightbox' })
    // Beside the picture is the background.
    this.#dialog.onclick = ({ target }) => target === this.#dialog && close()
    this.#dialog.onclose = () => this.#dialog.replaceChildren()
    document.body.append(this.#dialog)
  }

  show({ src, alt }: HTMLImageElement): void {
    this.#dialog.replaceChildren(this.#close, make('img', { src, alt }))
    this.#dialog.ariaLabel = alt
    this.#dialog.showModal()
  }
}
