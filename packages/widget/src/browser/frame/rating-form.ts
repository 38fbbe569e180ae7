import { type ChatTexts, fill } from '../shared/strings.ts'
import { make } from './dom.ts'

const commentMax = 2_000

/** Asks for a rating of a closed conversation. */
export class RatingForm {
  readonly element: HTMLFormElement
  readonly #thanks: HTMLElement
  readonly #questions: HTMLElement

  /** `onRate` returns whether the rating is stored. */
  constructor(texts: ChatTexts, onRate: (rating: { rating: number; comment?: string }) => Promise<boolean>) {
    const scores = [1, 2, 3, 4, 5].map((score) =>
      make(
        'label',
        {},
        make('input', {
          type: 'radio',
          name: 'rating',
          value: String(score),
          ariaLabel: fill(texts.stars, { score }),
          required: true,
        }),
        String(score),
      ),
    )
    const comment = make('textarea', {
      ariaLabel: texts.comment,
      placeholder: texts.comment,
      rows: 1,
      maxLength: commentMax,
      dir: 'auto',
    })
    this.#questions = make(
      'div',
      {},
      make('fieldset', {}, make('legend', {}, texts.rate), make('div', { className: 'stars' }, ...scores)),
      comment,
      make('button', { type: 'submit' }, texts.sendRating),
    )
    this.#thanks = make('p', { className: 'quiet', role: 'status' })
    this.element = make('form', { hidden: true }, this.#questions, this.#thanks)
    this.element.onsubmit = async (event) => {
      event.preventDefault()
      const rating = Number(new FormData(this.element).get('rating'))
      const text = comment.value.trim()
      if (await onRate({ rating, ...(text && { comment: text }) })) this.#thanks.textContent = texts.thanks
    }
  }

  show({ isClosed, isRated }: { isClosed: boolean; isRated: boolean }): void {
    if (!isRated) this.#thanks.textContent = ''
    this.#questions.hidden = isRated
    this.element.hidden = !isClosed || (isRated && this.#thanks.textContent === '')
  }
}
