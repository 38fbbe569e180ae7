import { defaultColor, readableOn } from '../shared/colors.ts'
import type { WidgetConfig } from '../shared/protocol.ts'
import type { ChatTexts } from '../shared/strings.ts'
import { Composer } from './composer.ts'
import { make, makeIconButton } from './dom.ts'
import { MessageList } from './message-list.ts'
import { RatingForm } from './rating-form.ts'
import { styles } from './styles.ts'
import type { Conversation } from './wire.ts'

type ListActions = ConstructorParameters<typeof MessageList>[1]
type ComposerActions = ConstructorParameters<typeof Composer>[1]

interface Actions extends ListActions, Omit<ComposerActions, 'onNotice'> {
  onClose(): void
  onChoose(conversationId: string): void
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

/** The frame's page. */
export class View {
  readonly list: MessageList
  readonly composer: Composer
  readonly #texts: ChatTexts
  readonly #title: HTMLElement
  readonly #notice = make('p', { className: 'notice', role: 'alert', hidden: true })
  readonly #typing = make('p', { className: 'notice quiet', role: 'status' })
  #typingEnd = 0
  readonly #closed: HTMLElement
  readonly #select: HTMLSelectElement
  readonly #rating: RatingForm
  readonly #dialog: HTMLElement

  constructor({ config, texts, language, direction, actions, extras = {} }: Options) {
    this.#texts = texts
    applyStyle(config.color ?? defaultColor)
    document.documentElement.lang = language
    document.documentElement.dir = direction
    this.list = new MessageList(texts, actions, language)
    this.list.showGreeting(config.greeting, config.online ? undefined : texts.away)
    this.composer = new Composer(texts, { ...actions, onNotice: (text) => this.notice(text) })
    this.#rating = new RatingForm(texts, actions.onRate)
    this.#title = make('h1', {}, texts.chat)
    this.#closed = make('p', { className: 'notice quiet', hidden: true }, texts.closed)
    this.#select = make('select', { className: 'conversations', ariaLabel: texts.conversation, hidden: true })
    this.#select.onchange = () => actions.onChoose(this.#select.value)
    this.#dialog = make(
      'div',
      { className: 'chat', role: 'dialog', ariaLabel: texts.chat },
      make('header', {}, this.#title, extras.header, makeIconButton(texts.close, '×', actions.onClose)),
      this.#select,
      this.list.element,
      this.#typing,
      this.#closed,
      this.#rating.element,
      extras.aboveComposer,
      this.#notice,
      this.composer.element,
    )
    this.#dialog.onkeydown = (event) => {
      if (event.key === 'Escape' && !event.isComposing) actions.onClose()
      else if (event.key === 'Tab') this.#stayInside(event)
    }
    document.body.append(this.#dialog)
  }

  /** A refusal that the visitor can do something about; an empty text removes it. */
  notice(text: string): void {
    this.#notice.textContent = text
    this.#notice.hidden = text === ''
  }

  /** A sign that is not repeated is over. */
  showTyping(isTyping: boolean): void {
    clearTimeout(this.#typingEnd)
    const text = isTyping ? this.#texts.typing : ''
    if (this.#typing.textContent !== text) this.#typing.textContent = text
    if (isTyping) this.#typingEnd = setTimeout(() => this.showTyping(false), typingMs)
  }

  showConversation(current: Conversation | undefined, all: readonly Conversation[]): void {
    const isClosed = current?.status === 'closed'
    this.#title.textContent = current?.agent?.name ?? this.#texts.chat
    this.#closed.hidden = !isClosed
    this.#rating.show({ isClosed, isRated: current?.rating != null })
    this.#select.hidden = all.length < 2
    const options = all.map(({ _id, subject, unreadCount }) => {
      const name = subject ?? this.#texts.newConversation
      const text = unreadCount > 0 ? this.#texts.conversationWithUnread(name, unreadCount) : name
      return make('option', { value: _id, selected: _id === current?._id }, text)
    })
    this.#select.replaceChildren(...options)
  }

  focus(): void {
    this.composer.field.focus()
    this.list.scrollToEnd()
  }

  /** While the chat is open the keyboard stays inside: the page behind it is covered on a small screen. */
  #stayInside(event: KeyboardEvent): void {
    const elements = [
      ...this.#dialog.querySelectorAll<HTMLElement>('button,select,textarea,a[href],input,[tabindex]'),
    ].filter((element) => element.checkVisibility() && !element.matches(':disabled'))
    const [first, last] = [elements[0], elements.at(-1)]
    const [edge, other] = event.shiftKey ? [first, last] : [last, first]
    if (document.activeElement !== edge) return
    event.preventDefault()
    other?.focus()
  }
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
