import { type ChatTexts, fill } from '../shared/strings.ts'
import { make, makeButton } from './dom.ts'
import { Lightbox } from './lightbox.ts'
import { linkify } from './linkify.ts'
import { type MarkdownNode, readMarkdown } from './markdown.ts'
import { isPicture, Pictures } from './pictures.ts'
import type { Unsent } from './store.ts'
import { dayOf, type Times } from './times.ts'
import type { Attachment, Choice, Message } from './wire.ts'

interface Actions {
  onEarlier(): void
  onRetry(clientMessageId: string): void
  onDiscard(clientMessageId: string): void
  onDownload(attachment: Attachment): void
  onReply(reply: Pick<Unsent, 'content' | 'attachments' | 'conversationId' | 'choice'>): void
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
  readonly #times: Times
  readonly #log: HTMLElement
  readonly #head: HTMLElement
  readonly #earlier: HTMLButtonElement
  readonly pictures: Pictures
  readonly #rows = new Map<string, HTMLElement>()
  readonly #news: HTMLButtonElement
  /** The visitor has not scrolled away from the newest message. */
  #isFollowing = true

  constructor(texts: ChatTexts, actions: Actions, times: Times) {
    this.#texts = texts
    this.#actions = actions
    this.#times = times
    const lightbox = new Lightbox(texts)
    this.pictures = new Pictures({
      read: actions.onRead,
      onShow: (picture) => lightbox.show(picture),
      nameOf: ({ filename }) => fill(texts.showPicture, { name: filename }),
    })
    this.#head = make('div', { className: 'head' })
    this.#earlier = makeButton(texts.earlier, actions.onEarlier)
    this.#earlier.hidden = true
    this.#log = make(
      'div',
      { className: 'log', role: 'log', ariaLabel: texts.messages, ariaLive: 'polite', tabIndex: 0 },
      this.#head,
      this.#earlier,
    )
    this.#news = makeButton(texts.newMessages, () => this.scrollToEnd(), 'news')
    this.#news.hidden = true
    this.element = make('div', { className: 'messages' }, this.#log, this.#news)
    this.#log.onscroll = () => {
      this.#isFollowing = this.#isAtEnd
      if (this.#isFollowing) this.#news.hidden = true
    }
    // A notice, a keyboard or the form of a rating takes space from the end of the thread.
    new ResizeObserver(() => this.#isFollowing && this.scrollToEnd()).observe(this.#log)
  }

  /** Puts the welcome above the messages. */
  welcome(...parts: Node[]): void {
    this.#head.replaceChildren(...parts)
  }

  set hasEarlier(hasEarlier: boolean) {
    this.#earlier.hidden = !hasEarlier
  }

  /** History is not news: nothing of it is read aloud. */
  addHistory(messages: readonly Message[]): void {
    const log = this.#log
    log.ariaBusy = 'true'
    const before = log.scrollHeight - log.scrollTop
    const isAtEnd = this.#isAtEnd
    for (const message of messages) this.#putMessage(message)
    log.scrollTop = isAtEnd ? log.scrollHeight : log.scrollHeight - before
    log.ariaBusy = 'false'
  }

  add(message: Message): void {
    const isAtEnd = this.#isAtEnd
    const isNew = !this.#rows.has(keyOf(message))
    this.#putMessage(message)
    if (isAtEnd || message.direction === 'inbound') this.scrollToEnd()
    else if (isNew) this.#news.hidden = false
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
    if (unsent.choice) markChoice(row, unsent.choice)
    const isNew = !this.#rows.has(clientMessageId)
    this.#put(clientMessageId, `~${createdAt}`, row)
    if (isNew) this.scrollToEnd()
  }

  remove(key: string): void {
    this.#rows.get(key)?.remove()
    this.#rows.delete(key)
    this.#showChosen()
  }

  /** Removes what the server has confirmed; `isAll` also the unsent messages. */
  clear(isAll = false): void {
    this.pictures.clear()
    for (const [key, row] of this.#rows) {
      if (isAll || row.dataset['unsent'] === undefined) this.remove(key)
    }
    this.hasEarlier = false
    this.#news.hidden = true
  }

  scrollToEnd(): void {
    this.#log.scrollTop = this.#log.scrollHeight
    this.#isFollowing = true
    this.#news.hidden = true
  }

  /** "Today" of a page that stays open is "yesterday" later. */
  renameDays(): void {
    for (const line of this.#log.querySelectorAll<HTMLElement>('.day'))
      line.textContent = this.#times.day(new Date(line.dataset['order'] ?? ''))
  }

  get #isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.#log
    return scrollHeight - scrollTop - clientHeight < followPx
  }

  #putMessage(message: Message): void {
    const day = dayOf(new Date(message.createdAt))
    if (!this.#rows.has(day)) {
      this.renameDays()
      this.#put(day, day, make('p', { className: 'day quiet' }, this.#times.day(new Date(day))))
    }
    this.#put(keyOf(message), message.createdAt, this.#rowOf(message))
  }

  #put(key: string, order: string, row: HTMLElement): void {
    row.dataset['order'] = order
    this.#place(key, order, row)
    this.#showChosen()
  }

  #place(key: string, order: string, row: HTMLElement): void {
    const present = this.#rows.get(key)
    this.#rows.set(key, row)
    if (present?.dataset['order'] === order) {
      present.replaceWith(row)
      return
    }
    present?.remove()
    let next: Element | null = null
    for (let last = this.#log.lastElementChild; last; last = last.previousElementSibling) {
      const lastOrder = (last as HTMLElement).dataset['order']
      if (lastOrder === undefined || lastOrder <= order) break
      next = last
    }
    this.#log.insertBefore(row, next)
  }

  #rowOf(message: Message): HTMLElement {
    const { content, contentType, attachments, choices, choice, createdAt, direction, sender } = message
    const isOwn = direction === 'inbound'
    const name = isOwn ? this.#texts.you : (sender.name ?? this.#texts.agent)
    const files = attachments.map((file) => ({ file, hasPicture: isPicture(file) }))
    const isMarkdown = contentType === 'markdown'
    const row = this.#draw({ content, files, isOwn, isMarkdown, sender: name })
    const at = new Date(createdAt)
    const time = make('time', { dateTime: createdAt, title: this.#times.full(at) }, this.#times.short(at))
    if (choices.length > 0) row.append(this.#choicesOf(message))
    if (choice) markChoice(row, choice)
    row.append(make('div', { className: 'meta' }, ...(isOwn ? [] : [name, ' · ']), time))
    return row
  }

  #draw(shown: {
    content: string
    files: readonly ShownFile[]
    isOwn: boolean
    isMarkdown?: boolean
    sender: string
  }): HTMLElement {
    const parts = shown.isMarkdown ? elementsOf(readMarkdown(shown.content)) : linked(shown.content)
    return make(
      'div',
      { className: shown.isOwn ? 'message own' : 'message' },
      make('span', { className: 'hidden' }, `${shown.sender}: `),
      shown.content === '' ? undefined : make('div', { className: 'text', dir: 'auto' }, ...parts),
      shown.files.length === 0 ? undefined : this.#filesOf(shown.files),
    )
  }

  #choicesOf({ _id: messageId, conversationId, choices }: Message): HTMLElement {
    const buttons = choices.map(({ id: choiceId, label: content }) => {
      const choice = { messageId, choiceId }
      const button = makeButton(content, () =>
        this.#actions.onReply({ content, attachments: [], conversationId, choice }),
      )
      return Object.assign(button, { name: messageId, value: choiceId, dir: 'auto' })
    })
    return make('div', { className: 'choices' }, ...buttons)
  }

  /** A message takes one click: the buttons show which it was, also that of another tab. */
  #showChosen(): void {
    const rows = [...this.#log.querySelectorAll<HTMLElement>('[data-of]')]
    const chosen = new Map(rows.map(({ dataset }) => [dataset['of'], dataset['choice']]))
    for (const button of this.#log.querySelectorAll<HTMLButtonElement>('.choices button')) {
      const id = chosen.get(button.name)
      button.disabled = id !== undefined
      button.ariaPressed = button.disabled ? String(id === button.value) : null
    }
  }

  #filesOf(files: readonly ShownFile[]): HTMLElement {
    const { onDownload } = this.#actions
    const items = files.map(({ file, hasPicture }) => {
      const { filename, size } = file
      const button = makeButton(`${filename} (${sizeText(size)})`, () => onDownload(file))
      button.title = fill(this.#texts.download, { name: filename })
      return make('li', {}, hasPicture ? this.pictures.of(file) : undefined, button)
    })
    return make('ul', { className: 'files' }, ...items)
  }
}

function markChoice({ dataset }: HTMLElement, { messageId, choiceId }: Choice): void {
  dataset['of'] = messageId
  dataset['choice'] = choiceId
}

function linked(content: string): (Node | string)[] {
  return linkify(content).map(({ text, href }) => (href === undefined ? text : makeLink(href, text)))
}

function makeLink(href: string, ...children: (Node | string)[]): HTMLElement {
  return make('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...children)
}

/** Only the tags of `MarkdownElement` are made. */
function elementsOf(nodes: readonly MarkdownNode[]): (Node | string)[] {
  return nodes.map((node) => {
    if (typeof node === 'string') return node
    const children = elementsOf(node.children)
    return node.href === undefined ? make(node.tag, {}, ...children) : makeLink(node.href, ...children)
  })
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
