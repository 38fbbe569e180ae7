/** The number of unread messages in the title of a tab that the visitor has left. */
export class PageTitle {
  #count = 0
  #prefix = ''

  constructor() {
    document.addEventListener('visibilitychange', () => this.#update())
  }

  show(count: number): void {
    this.#count = count
    this.#update()
  }

  #update(): void {
    // An app may have set another title meanwhile.
    if (this.#prefix && document.title.startsWith(this.#prefix))
      document.title = document.title.slice(this.#prefix.length)
    this.#prefix = document.hidden && this.#count > 0 ? `(${this.#count}) ` : ''
    if (this.#prefix) document.title = this.#prefix + document.title
  }
}
