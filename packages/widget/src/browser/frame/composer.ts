import { type ChatTexts, fill } from '../shared/strings.ts'
import { make, makeIconButton } from './dom.ts'
import { Previews } from './previews.ts'

interface Actions {
  /** Returns whether the message is stored; otherwise the text and the files stay where they are. */
  onSend(content: string, files: readonly File[]): Promise<boolean>
  onInput(content: string): void
  onNotice(text: string): void
}

const contentMax = 10_000
const fileBytesMax = 10 * 1024 * 1024
const filesMax = 10

/** The field for a new message, with its files. */
export class Composer {
  readonly element: HTMLFormElement
  readonly field: HTMLTextAreaElement
  readonly #texts: ChatTexts
  readonly #actions: Actions
  readonly #previews = new Previews()
  readonly #chips = make('ul', { className: 'files' })
  readonly #send: HTMLButtonElement
  #files: File[] = []
  #isBusy = false

  constructor(texts: ChatTexts, actions: Actions) {
    this.#texts = texts
    this.#actions = actions
    const picker = make('input', { type: 'file', multiple: true, hidden: true })
    picker.onchange = () => {
      this.#addFiles([...(picker.files ?? [])])
      picker.value = ''
    }
    this.field = make('textarea', {
      ariaLabel: texts.message,
      placeholder: texts.placeholder,
      rows: 1,
      dir: 'auto',
      oninput: () => {
        this.#fit()
        this.#actions.onInput(this.field.value)
      },
      onkeydown: (event) => {
        // An input method uses Enter to choose a character.
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
        event.preventDefault()
        this.element.requestSubmit()
      },
      onpaste: (event) => {
        const files = [...(event.clipboardData?.files ?? [])]
        if (files.length > 0) event.preventDefault()
        this.#addFiles(files)
      },
    })
    this.#send = make('button', { type: 'submit', className: 'primary' }, texts.send)
    const attach = makeIconButton(texts.attach, '+', () => picker.click())
    this.element = make(
      'form',
      {
        className: 'compose',
        onsubmit: (event) => {
          event.preventDefault()
          void this.#submit()
        },
      },
      this.#chips,
      make('div', {}, attach, this.field, this.#send, picker),
    )
    this.#showFiles()
  }

  setText(text: string): void {
    this.field.value = text
    this.#fit()
  }

  clear(): void {
    this.setText('')
    this.#files = []
    this.#showFiles()
  }

  async #submit(): Promise<void> {
    const content = this.field.value
    if (this.#isBusy || (content.trim() === '' && this.#files.length === 0)) return
    if (content.length > contentMax) {
      this.#actions.onNotice(fill(this.#texts.tooLong, { length: content.length, most: contentMax }))
      return
    }
    this.#isBusy = true
    this.#send.disabled = true
    const files = this.#files
    try {
      if (await this.#actions.onSend(content, files)) this.#remove(content, files)
    } finally {
      this.#isBusy = false
      this.#send.disabled = false
    }
  }

  /** While files were uploaded the visitor may have begun the next message, which stays. */
  #remove(content: string, files: readonly File[]): void {
    this.#files = this.#files.filter((file) => !files.includes(file))
    this.#showFiles()
    if (this.field.value === content) this.setText('')
    else this.#actions.onInput(this.field.value)
  }

  #addFiles(files: readonly File[]): void {
    const large = files.find(({ size }) => size > fileBytesMax)
    if (large) this.#actions.onNotice(fill(this.#texts.tooLarge, { name: large.name }))
    const all = [...this.#files, ...files.filter(({ size }) => size <= fileBytesMax)]
    const left = all.slice(filesMax).map(({ name }) => name)
    if (left.length > 0) this.#actions.onNotice(fill(this.#texts.tooMany, { names: left.join(', ') }))
    this.#files = all.slice(0, filesMax)
    this.#showFiles()
  }

  #showFiles(): void {
    this.#chips.hidden = this.#files.length === 0
    this.#previews.keep(this.#files)
    const items = this.#files.map((file) => {
      const remove = makeIconButton(fill(this.#texts.remove, { name: file.name }), '×', () => {
        this.#files = this.#files.filter((other) => other !== file)
        this.#showFiles()
        this.field.focus()
      })
      return make('li', {}, this.#previews.of(file), file.name, remove)
    })
    this.#chips.replaceChildren(...items)
  }

  /** For browsers without `field-sizing`. */
  #fit(): void {
    if (CSS.supports('field-sizing', 'content')) return
    this.field.style.height = 'auto'
    this.field.style.height = `${this.field.scrollHeight + 2}px`
  }
}
