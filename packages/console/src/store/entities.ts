import { type Signal, signal } from '@preact/signals'

interface Row {
  readonly _id: string
}

/** Rows of one kind, each with a signal of its own, so that a change draws only what shows that row. */
export class Entities<T extends Row> {
  readonly #rows = new Map<string, Signal<T | undefined>>()

  /** The signal of a row, also before the row is known. */
  row(id: string): Signal<T | undefined> {
    let found = this.#rows.get(id)
    if (found === undefined) {
      found = signal<T | undefined>(undefined)
      this.#rows.set(id, found)
    }
    return found
  }

  /** Without listening to changes. */
  peek(id: string): T | undefined {
    return this.#rows.get(id)?.peek()
  }

  all(): T[] {
    return [...this.#rows.values()].flatMap((row) => row.peek() ?? [])
  }

  put(row: T): void {
    this.row(row._id).value = row
  }

  delete(id: string): void {
    const found = this.#rows.get(id)
    if (found !== undefined) found.value = undefined
  }
}
