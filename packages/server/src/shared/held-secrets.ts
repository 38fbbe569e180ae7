import type { Clock } from '../ports/clock.ts'

interface Held<Value> {
  readonly value: Value
  readonly endsAtMs: number
}

/** Secrets that this process needs up to a moment. Nobody gets one that has ended, and each new secret removes all that have ended. */
export class HeldSecrets<Value> {
  readonly #clock: Clock
  readonly #held = new Map<string, Held<Value>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#held.size
  }

  get(key: string): Value | undefined {
    const held = this.#held.get(key)
    return held !== undefined && held.endsAtMs > this.#clock.nowMs() ? held.value : undefined
  }

  hold(key: string, value: Value, endsAtMs: number): void {
    const now = this.#clock.nowMs()
    for (const [other, held] of this.#held) if (held.endsAtMs <= now) this.#held.delete(other)
    this.#held.set(key, { value, endsAtMs })
  }

  forget(key: string): void {
    this.#held.delete(key)
  }
}
