import type { Spread } from './measure.ts'

/** The hottest operations. Each runs on the same two services. */
export const guardedOperations: readonly string[] = [
  'read a customer',
  'list customers',
  'list customers with a tag',
  'search, rare word',
  'create a customer',
  'update a customer',
  'create a conversation',
  'create a message',
]

/** An operation that may be slower than in a release, as `docs/slower.json` names it. */
export interface Slower {
  operation: string
  /** The release that it may be slower than. It ends with the next one. */
  release: string
  /** How many times its processor time it may take. */
  ratio: number
  reason: string
}

const usualLimit = 1.15
/** Of the lower quartile below the limit of the median: a few slow pairs of a busy machine refuse nothing. */
const quartileBelow = 0.1

export function limitOf(slower: readonly Slower[], of: Pick<Slower, 'operation' | 'release'>): number {
  const named = slower.find(({ operation, release }) => operation === of.operation && release === of.release)
  return named?.ratio ?? usualLimit
}

/** Returns whether a few pairs say that an operation has to be measured again with more of them. */
export function isSuspect({ median }: Spread, limit: number): boolean {
  return median > limit
}

/** Returns whether many pairs say that an operation is slower than it may be. */
export function isTooSlow({ median, lower }: Spread, limit: number): boolean {
  return median > limit && lower > limit - quartileBelow
}
