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

export function limitOf(slower: readonly Slower[], of: Pick<Slower, 'operation' | 'release'>): number {
  const named = slower.find(({ operation, release }) => operation === of.operation && release === of.release)
  return named?.ratio ?? usualLimit
}

/** Returns whether the pairs of two services say that an operation is slower than it may be. Other services of the same code may deny it. */
export function isTooSlow({ median }: Spread, limit: number): boolean {
  return median > limit
}
