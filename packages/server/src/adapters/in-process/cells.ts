interface Ending {
  endsAtMs: number
}

/**
 * A bounded map of things that end by themselves. No timer for each: every new cell looks at two others, so
 * what has ended is gone before twice as many have come. When it is full of what has not, the oldest goes.
 */
export class Cells<T extends Ending> {
  readonly #cells = new Map<string, T>()
  readonly #cellsMax: number
  #hand = this.#cells.entries()

  constructor(cellsMax: number) {
    this.#cellsMax = cellsMax
  }

  get size(): number {
    return this.#cells.size
  }

  get(id: string): T | undefined {
    return this.#cells.get(id)
  }

  set(id: string, cell: T, nowMs: number): void {
    if (!this.#cells.has(id)) this.#makeRoom(nowMs)
    this.#cells.set(id, cell)
  }

  delete(id: string): void {
    this.#cells.delete(id)
  }

  #makeRoom(nowMs: number): void {
    this.#removeEnded(nowMs)
    this.#removeEnded(nowMs)
    if (this.#cells.size < this.#cellsMax) return
    const oldest = this.#cells.keys().next()
    if (!oldest.done) this.#cells.delete(oldest.value)
  }

  #removeEnded(nowMs: number): void {
    const next = this.#hand.next()
    if (next.done) this.#hand = this.#cells.entries()
    else if (next.value[1].endsAtMs <= nowMs) this.#cells.delete(next.value[0])
  }
}
