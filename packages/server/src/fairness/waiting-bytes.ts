/** For so long an owner counts as one that waits, after it was refused. */
const waitsMs = 15_000

/** The bytes of one body; ended with the response, whatever that is. */
export interface HeldBytes {
  /** Takes further bytes; returns false where there is no space for them. */
  add(bytes: number): boolean
  end(): void
}

/**
 * The memory for bodies that wait, of all doors together. One owner has at most half of it while another one has something there,
 * or was refused lately.
 */
export class WaitingBytes {
  readonly #max: number
  #sum = 0
  readonly #held = new Map<string, number>()
  readonly #refusedAtMs = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  hold(owner: string): HeldBytes {
    let own = 0
    return {
      add: (bytes) => {
        if (!this.#fits(owner, bytes)) return false
        own += bytes
        this.#change(owner, bytes)
        return true
      },
      end: () => {
        this.#change(owner, -own)
        own = 0
      },
    }
  }

  #fits(owner: string, bytes: number): boolean {
    const held = this.#held.get(owner) ?? 0
    const isBeyond = this.#sum + bytes > this.#max
    if (isBeyond) this.#refusedAtMs.set(owner, performance.now())
    else this.#refusedAtMs.delete(owner)
    return !isBeyond && (held + bytes <= this.#max / 2 || !this.#hasOthers(owner, held))
  }

  #hasOthers(owner: string, held: number): boolean {
    if (this.#sum > held) return true
    const nowMs = performance.now()
    for (const [other, atMs] of this.#refusedAtMs) {
      if (nowMs - atMs > waitsMs) this.#refusedAtMs.delete(other)
      else if (other !== owner) return true
    }
    return false
  }

  #change(owner: string, bytes: number): void {
    this.#sum += bytes
    const held = (this.#held.get(owner) ?? 0) + bytes
    if (held > 0) this.#held.set(owner, held)
    else this.#held.delete(owner)
  }
}
