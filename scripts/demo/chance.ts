/** Random choices that a seed repeats. */
export interface Chance {
  /** From 0 to below 1. */
  next(): number
  isLikely(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** At most this many different items. */
  some<Item>(items: readonly Item[], most: number): Item[]
}

/** The generator mulberry32: small, and good enough for names. */
export function createChance(seed: number): Chance {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)] as Item
  return {
    next,
    isLikely: (probability) => next() < probability,
    pick,
    some: (items, most) => [
      ...new Set(Array.from({ length: Math.floor(next() * (most + 1)) }, () => pick(items))),
    ],
  }
}
