/** Numbers that a seed repeats, so that a failed run can be repeated. */
export interface Random {
  /** From 0 up to, and not including, 1. */
  next(): number
  /** A whole number from 0 up to, and not including, `below`. */
  below(below: number): number
  isOneIn(count: number): boolean
  pick<T>(items: readonly T[]): T
  /** A generator of its own, which does not depend on the numbers that this one has returned. */
  fork(name: string | number): Random
}

/** Mulberry32: small, fast and even enough to choose operations and moments. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    isOneIn: (count) => below(count) === 0,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('There is nothing to pick from')
      return items[below(items.length)] as (typeof items)[number]
    },
    fork: (name) => createRandom(hashOf(`${seed}/${name}`)),
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
