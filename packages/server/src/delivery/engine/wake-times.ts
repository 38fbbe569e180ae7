interface Entry<T> {
  item: T
  atMs: number
}

/** Items with times, the earliest first: a binary heap. An item may be in it several times. */
export class WakeTimes<T> {
  readonly #heap: Entry<T>[] = []

  add(item: T, atMs: number): void {
    const heap = this.#heap
    let at = heap.push({ item, atMs }) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isEarlier(at, parent)) break
      this.#swap(at, parent)
      at = parent
    }
  }

  /** Removes and returns all items whose time has come. */
  take(nowMs: number): T[] {
    const taken: T[] = []
    for (let first = this.#heap[0]; first !== undefined && first.atMs <= nowMs; first = this.#heap[0]) {
      taken.push(first.item)
      this.#removeFirst()
    }
    return taken
  }

  /** Returns the earliest time; null without any item. */
  earliest(): number | null {
    return this.#heap[0]?.atMs ?? null
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    heap[0] = last
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && this.#isEarlier(child, least)) least = child
      }
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #isEarlier(a: number, b: number): boolean {
    return (this.#heap[a]?.atMs ?? Number.NaN) < (this.#heap[b]?.atMs ?? Number.NaN)
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const [left, right] = [heap[a], heap[b]]
    if (left === undefined || right === undefined) return
    heap[a] = right
    heap[b] = left
  }
}
