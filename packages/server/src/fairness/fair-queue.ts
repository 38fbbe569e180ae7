/** Waiting work of several owners, served round-robin; the work of one owner keeps its order. */
export class FairQueue<Item> {
  /** The first owner is served next. */
  readonly #queues = new Map<string, Item[]>()

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  push(owner: string, item: Item): void {
    const queue = this.#queues.get(owner)
    if (queue === undefined) this.#queues.set(owner, [item])
    else queue.push(item)
  }

  shift(): Item | undefined {
    for (const [owner, queue] of this.#queues) {
      const item = queue.shift()
      this.#queues.delete(owner)
      if (queue.length > 0) this.#queues.set(owner, queue)
      return item
    }
    return undefined
  }
}
