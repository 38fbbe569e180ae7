/** A cell of a workbook holds 32,767 signs. */
export const textLengthMax = 1_000_000

/** The text of an element in runs of different looks; how it is spoken (`rPh`) is no part of it. */
export class RichText {
  #text: string | undefined
  #isIn = false
  #isSpoken = false

  open(name: string, element: string): void {
    if (name === element) this.#text = ''
    else if (name === 'rPh') this.#isSpoken = true
    else if (name === 't') this.#isIn = !this.#isSpoken
  }

  add(text: string): void {
    if (!this.#isIn || this.#text === undefined) return
    this.#text += text
    if (this.#text.length > textLengthMax) throw new Error('A text is too long')
  }

  /** Returns the text behind the end of the element. */
  close(name: string, element: string): string | undefined {
    if (name === 't') this.#isIn = false
    if (name === 'rPh') this.#isSpoken = false
    if (name !== element) return undefined
    const text = this.#text
    this.#text = undefined
    return text
  }
}
