interface Expiring {
  endsAtMs: number
}

/**
 * A bounded map of cells that expire. There is no timer for each: every new cell checks two others, so expired cells
 * are removed before as many new ones have come. When the map is full of cells that have not expired, the oldest one
 * is removed.
 */
export class Cells<T extends Expiring> {
  readonly #cells = new Map<string, T>()
  readonly #cellsMax: number
  #walk = this.#cells.entries()

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
    if (!this.#cells.has(id)) this.#limitSize(nowMs)
    this.#cells.set(id, cell)
  }

  delete(id: string): void {
    this.#cells.delete(id)
  }

  #limitSize(nowMs: number): void {
    this.#checkNext(nowMs)
    this.#checkNext(nowMs)
    if (this.#cells.size < this.#cellsMax) return
    const oldest = this.#cells.keys().next()
    if (!oldest.done) this.#cells.delete(oldest.value)
  }

  /** Removes the next cell of the walk when it has expired. */
  #checkNext(nowMs: number): void {
    const next = this.#walk.next()
    if (next.done) this.#walk = this.#cells.entries()
    else if (next.value[1].endsAtMs <= nowMs) this.#cells.delete(next.value[0])
  }
}
