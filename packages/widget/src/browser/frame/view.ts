import { defaultColor, readableOn } from '../shared/colors.ts'
import type { WidgetConfig } from '../shared/protocol.ts'
import type { ChatTexts } from '../shared/strings.ts'
import { Composer } from './composer.ts'
import { ConversationList } from './conversation-list.ts'
import type { Conversations } from './conversations.ts'
import { make, makeIconButton } from './dom.ts'
import { MessageList } from './message-list.ts'
import { RatingForm } from './rating-form.ts'
import { styles } from './styles.ts'
import { Times } from './times.ts'
import { makeWelcome } from './welcome.ts'

type ListActions = ConstructorParameters<typeof MessageList>[1]
type ComposerActions = ConstructorParameters<typeof Composer>[1]

interface Actions extends ListActions, Omit<ComposerActions, 'onNotice'> {
  onClose(): void
  /** The visitor has come from the list to a thread. */
  onThread(): void
  onChoose(conversationId: string): void
  onNew(): void
  onRate(rating: { rating: number; comment?: string }): Promise<boolean>
}

/** Parts of the page that somebody else fills. */
interface Extras {
  header?: HTMLElement
  aboveComposer?: HTMLElement
}

interface Options {
  config: WidgetConfig
  texts: ChatTexts
  language: string
  direction: string
  actions: Actions
  extras?: Extras
}

const typingMs = 8_000

/** The frame's page: a thread, or the list of all conversations. */
export class View {
  readonly list: MessageList
  readonly composer: Composer
  readonly #texts: ChatTexts
  readonly #teamName: string | undefined
  readonly #title: HTMLElement
  readonly #notice = make('p', { className: 'notice bad', role: 'alert', hidden: true })
  readonly #typing = make('p', { className: 'notice quiet', role: 'status' })
  #typingEnd = 0
  readonly #closed: HTMLElement
  readonly #toList: HTMLButtonElement
  readonly #conversations: ConversationList
  readonly #thread: HTMLElement
  readonly #rating: RatingForm
  readonly #dialog: HTMLElement

  constructor({ config, texts, language, direction, actions, extras = {} }: Options) {
    this.#texts = texts
    this.#teamName = config.team?.name
    applyStyle(config.color ?? defaultColor)
    document.documentElement.lang = language
    document.documentElement.dir = direction
    const times = new Times(language)
    const onReply: Actions['onReply'] = (reply) => {
      actions.onReply(reply)
      // The button is off from now on.
      this.focus()
    }
    this.list = new MessageList(texts, { ...actions, onReply }, times)
    this.list.welcome(...makeWelcome(config, texts))
    this.composer = new Composer(texts, { ...actions, onNotice: (text) => this.notice(text) })
    this.#rating = new RatingForm(texts, actions.onRate)
    this.#title = make('h1', {}, this.#teamName ?? texts.chat)
    this.#closed = make('p', { className: 'notice quiet', hidden: true }, texts.closed)
    this.#conversations = new ConversationList(texts, times, {
      onChoose: (id) => this.#leaveList(() => actions.onChoose(id)),
      onNew: () => this.#leaveList(actions.onNew),
    })
    this.#toList = makeIconButton(texts.conversations, '☰', () => {
      if (this.isThreadShown) this.#showList(true)
      else this.#leaveList(actions.onThread)
    })
    this.#toList.hidden = true
    this.#toList.ariaExpanded = 'false'
    this.#thread = make(
      'div',
      { className: 'thread' },
      this.list.element,
      this.#typing,
      this.#closed,
      this.#rating.element,
      extras.aboveComposer,
      this.#notice,
      this.composer.element,
    )
    this.#dialog = make(
      'div',
      { className: 'chat', role: 'dialog', ariaLabel: texts.chat },
      make(
        'header',
        {},
        this.#toList,
        this.#title,
        extras.header,
        makeIconButton(texts.close, '×', actions.onClose),
      ),
      this.#conversations.element,
      this.#thread,
    )
    this.#dialog.onkeydown = (event) => {
      if (event.key === 'Escape' && !event.isComposing) actions.onClose()
      else if (event.key === 'Tab') this.#stayInside(event)
    }
    document.body.append(this.#dialog)
  }

  /** False while the list of conversations covers it. */
  get isThreadShown(): boolean {
    return !this.#thread.hidden
  }

  /** A refusal that the visitor can do something about, or (`isBad` false) a success; an empty text removes it. */
  notice(text: string, isBad = true): void {
    this.#notice.textContent = text
    this.#notice.className = isBad ? 'notice bad' : 'notice quiet'
    this.#notice.hidden = text === ''
  }

  /** A sign that is not repeated is over. */
  showTyping(isTyping: boolean): void {
    clearTimeout(this.#typingEnd)
    const text = isTyping ? this.#texts.typing : ''
    if (this.#typing.textContent !== text) this.#typing.textContent = text
    if (isTyping) this.#typingEnd = setTimeout(() => this.showTyping(false), typingMs)
  }

  showConversation({ current, all, currentId }: Conversations): void {
    const isClosed = current?.status === 'closed'
    const name = this.isThreadShown
      ? (current?.agent?.name ?? this.#teamName ?? this.#texts.chat)
      : this.#texts.conversations
    if (this.#title.textContent !== name) this.#title.textContent = name
    this.#closed.hidden = !isClosed
    this.#rating.show({ isClosed, isRated: current?.rating != null })
    this.#toList.hidden = all.length === 0
    if (all.length === 0 && !this.isThreadShown) this.#showList(false)
    this.#conversations.show(all, currentId)
  }

  focus(): void {
    if (!this.isThreadShown) {
      this.#conversations.focus()
      return
    }
    this.composer.field.focus()
    this.list.renameDays()
    this.list.scrollToEnd()
  }

  #showList(isShown: boolean): void {
    this.#conversations.element.hidden = !isShown
    this.#thread.hidden = isShown
    this.#toList.ariaExpanded = String(isShown)
    if (isShown) this.#title.textContent = this.#texts.conversations
    if (isShown) this.#conversations.focus()
  }

  #leaveList(act: () => void): void {
    this.#showList(false)
    this.notice('')
    act()
    this.focus()
  }

  /** Where the chat covers the page, the keyboard stays inside while it is open. */
  #stayInside(event: KeyboardEvent): void {
    if (isBesidePage()) return
    const elements = [
      ...this.#dialog.querySelectorAll<HTMLElement>('button,textarea,a[href],input,[tabindex]'),
    ].filter((element) => element.checkVisibility() && !element.matches(':disabled'))
    const [first, last] = [elements[0], elements.at(-1)]
    const [edge, other] = event.shiftKey ? [first, last] : [last, first]
    if (document.activeElement !== edge) return
    event.preventDefault()
    other?.focus()
  }
}

/** The size that the loader gives to a frame that leaves the page free; one that fills a screen has another. */
function isBesidePage(): boolean {
  // A zoom of the page may round it.
  return Math.abs(innerWidth - 384) <= 1 && innerHeight <= 641
}

/** By the style sheet object: the frame's policy allows no inline style. */
function applyStyle(color: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets = [sheet]
  const { style } = document.documentElement
  style.setProperty('--color', color)
  style.setProperty('--on-color', readableOn(color))
}
