import type { ChatTexts } from '../shared/strings.ts'
import { make, makeButton } from './dom.ts'
import { linkify } from './linkify.ts'
import { isPicture, Pictures } from './pictures.ts'
import type { Unsent } from './store.ts'
import type { Attachment, Message } from './wire.ts'

interface Actions {
  onEarlier(): void
  onRetry(clientMessageId: string): void
  onDiscard(clientMessageId: string): void
  onDownload(attachment: Attachment): void
  /** Returns the bytes of a file. */
  onRead(attachment: Attachment): Promise<Blob>
}

interface ShownFile {
  file: Attachment
  hasPicture: boolean
}

/** How far from the end the visitor may have scrolled and still be taken along by a new message. */
const followPx = 80

function keyOf({ _id, clientMessageId }: Message): string {
  return clientMessageId ?? _id
}

/** The thread. An element is made once and stays, because a screen reader reads every new one aloud. */
export class MessageList {
  readonly element: HTMLElement
  readonly #texts: ChatTexts
  readonly #actions: Actions
  readonly #time: Intl.DateTimeFormat
  readonly #head: HTMLElement
  readonly #earlier: HTMLButtonElement
  readonly pictures: Pictures
  readonly #rows = new Map<string, HTMLElement>()

  constructor(texts: ChatTexts, actions: Actions, language: string) {
    this.#texts = texts
    this.#actions = actions
    this.#time = timeFormat(language)
    this.pictures = new Pictures(actions.onRead)
    this.#head = make('div', { className: 'head' })
    this.#earlier = makeButton(texts.earlier, actions.onEarlier)
    this.#earlier.hidden = true
    this.element = make(
      'div',
      { className: 'log', role: 'log', ariaLabel: texts.messages, ariaLive: 'polite', tabIndex: 0 },
      this.#head,
      this.#earlier,
    )
  }

  showGreeting(greeting: string | null, away: string | undefined): void {
    this.#head.replaceChildren(
      ...(greeting ? [make('p', { className: 'greeting', dir: 'auto' }, greeting)] : []),
      ...(away ? [make('p', { className: 'quiet' }, away)] : []),
    )
  }

  set hasEarlier(hasEarlier: boolean) {
    this.#earlier.hidden = !hasEarlier
  }

  /** History is not news: nothing of it is read aloud. */
  addHistory(messages: readonly Message[]): void {
    this.element.ariaBusy = 'true'
    const before = this.element.scrollHeight - this.element.scrollTop
    const isAtEnd = this.#isAtEnd
    for (const message of messages) this.#put(keyOf(message), message.createdAt, this.#rowOf(message))
    this.element.scrollTop = isAtEnd ? this.element.scrollHeight : this.element.scrollHeight - before
    this.element.ariaBusy = 'false'
  }

  add(message: Message): void {
    const isAtEnd = this.#isAtEnd
    this.#put(keyOf(message), message.createdAt, this.#rowOf(message))
    if (isAtEnd || message.direction === 'inbound') this.scrollToEnd()
  }

  showUnsent(unsent: Unsent, state: string): void {
    const { clientMessageId, content, attachments, createdAt, failure } = unsent
    // The server gives the bytes of a file only after its message.
    const files = attachments.map((file) => ({ file, hasPicture: false }))
    const row = this.#draw({ content, files, isOwn: true, sender: this.#texts.you })
    const { onRetry, onDiscard } = this.#actions
    const meta = make('div', { className: failure ? 'meta failure' : 'meta' }, state)
    row.append(meta)
    if (failure) {
      meta.append(
        ' ',
        makeButton(this.#texts.retry, () => onRetry(clientMessageId)),
        ' ',
        makeButton(this.#texts.discard, () => onDiscard(clientMessageId)),
      )
    }
    row.dataset['unsent'] = ''
    const isNew = !this.#rows.has(clientMessageId)
    this.#put(clientMessageId, `~${createdAt}`, row)
    if (isNew) this.scrollToEnd()
  }

  remove(key: string): void {
    this.#rows.get(key)?.remove()
    this.#rows.delete(key)
  }

  /** Removes what the server has confirmed; `isAll` also the unsent messages. */
  clear(isAll = false): void {
    this.pictures.clear()
    for (const [key, row] of this.#rows) {
      if (isAll || row.dataset['unsent'] === undefined) this.remove(key)
    }
    this.hasEarlier = false
  }

  scrollToEnd(): void {
    this.element.scrollTop = this.element.scrollHeight
  }

  get #isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.element
    return scrollHeight - scrollTop - clientHeight < followPx
  }

  #put(key: string, order: string, row: HTMLElement): void {
    row.dataset['order'] = order
    const present = this.#rows.get(key)
    this.#rows.set(key, row)
    if (present?.dataset['order'] === order) {
      present.replaceWith(row)
      return
    }
    present?.remove()
    let next: Element | null = null
    for (let last = this.element.lastElementChild; last; last = last.previousElementSibling) {
      const lastOrder = (last as HTMLElement).dataset['order']
      if (lastOrder === undefined || lastOrder <= order) break
      next = last
    }
    this.element.insertBefore(row, next)
  }

  #rowOf({ content, attachments, createdAt, direction, sender }: Message): HTMLElement {
    const isOwn = direction === 'inbound'
    const name = isOwn ? this.#texts.you : (sender.name ?? this.#texts.agent)
    const files = attachments.map((file) => ({ file, hasPicture: isPicture(file) }))
    const row = this.#draw({ content, files, isOwn, sender: name })
    const time = make('time', { dateTime: createdAt }, this.#time.format(new Date(createdAt)))
    row.append(make('div', { className: 'meta' }, ...(isOwn ? [] : [name, ' · ']), time))
    return row
  }

  #draw(shown: {
    content: string
    files: readonly ShownFile[]
    isOwn: boolean
    sender: string
  }): HTMLElement {
    const parts = linkify(shown.content).map(({ text, href }) =>
      href ? make('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text) : text,
    )
    return make(
      'div',
      { className: shown.isOwn ? 'message own' : 'message' },
      make('span', { className: 'hidden' }, `${shown.sender}: `),
      shown.content === '' ? undefined : make('div', { className: 'text', dir: 'auto' }, ...parts),
      shown.files.length === 0 ? undefined : this.#filesOf(shown.files),
    )
  }

  #filesOf(files: readonly ShownFile[]): HTMLElement {
    const { onDownload } = this.#actions
    const items = files.map(({ file, hasPicture }) => {
      const { filename, size } = file
      const button = makeButton(`${filename} (${sizeText(size)})`, () => onDownload(file))
      button.title = this.#texts.download(filename)
      return make('li', {}, hasPicture ? this.pictures.of(file) : undefined, button)
    })
    return make('ul', { className: 'files' }, ...items)
  }
}

function timeFormat(language: string): Intl.DateTimeFormat {
  const options = { dateStyle: 'short', timeStyle: 'short' } as const
  try {
    return new Intl.DateTimeFormat(language, options)
  } catch {
    // The page's language is not a language code.
    return new Intl.DateTimeFormat('en', options)
  }
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
