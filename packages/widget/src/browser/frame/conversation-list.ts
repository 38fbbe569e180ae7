import { type ChatTexts, unreadText } from '../shared/strings.ts'
import { make, makeButton } from './dom.ts'
import type { Times } from './times.ts'
import type { Conversation } from './wire.ts'

interface Actions {
  onChoose(conversationId: string): void
  onNew(): void
}

/** All conversations of the visitor, and the way to a new one. */
export class ConversationList {
  readonly element: HTMLElement
  readonly #texts: ChatTexts
  readonly #times: Times
  readonly #actions: Actions
  readonly #rows = make('ul', {})

  constructor(texts: ChatTexts, times: Times, actions: Actions) {
    this.#texts = texts
    this.#times = times
    this.#actions = actions
    this.element = make(
      'section',
      { className: 'list', ariaLabel: texts.conversations, hidden: true },
      this.#rows,
      makeButton(texts.newConversation, actions.onNew, 'primary'),
    )
  }

  show(all: readonly Conversation[], currentId: string | undefined): void {
    // A row that is drawn again would lose the focus.
    const focused = this.#rows.contains(document.activeElement) ? document.activeElement?.id : undefined
    this.#rows.replaceChildren(...all.map((one) => this.#rowOf(one, one._id === currentId)))
    if (focused) document.getElementById(focused)?.focus()
  }

  focus(): void {
    const current = this.element.querySelector<HTMLElement>('[aria-current]')
    const first = current ?? this.element.querySelector('button')
    first?.focus()
  }

  #rowOf({ _id, subject, unreadCount, lastMessageAt, agent }: Conversation, isCurrent: boolean): HTMLElement {
    const time = lastMessageAt === null ? undefined : new Date(lastMessageAt)
    const name = subject || this.#texts.newConversation
    const button = make(
      'button',
      { type: 'button', id: `row-${_id}`, onclick: () => this.#actions.onChoose(_id) },
      make('span', { className: 'subject', dir: 'auto' }, name),
      time &&
        make(
          'time',
          { className: 'meta', dateTime: time.toISOString(), title: this.#times.full(time) },
          this.#times.brief(time),
        ),
      make('span', { className: 'meta' }, agent?.name ?? ''),
      unreadCount === 0
        ? undefined
        : make(
            'span',
            { className: 'count', role: 'img', ariaLabel: unreadText(this.#texts, unreadCount) },
            String(unreadCount),
          ),
    )
    if (isCurrent) button.ariaCurrent = 'true'
    return make('li', {}, button)
  }
}
