import { createIdFactory } from '@crmkit/core'

export const ids = createIdFactory(() => Date.now())

const start = Date.parse('2026-03-01T08:00:00.000Z')

/** Returns the moment `seconds` after a fixed one. */
export function at(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString()
}

let numbers = 0

/** Returns a number that no other sample has. */
export function nextNumber(): number {
  numbers += 1
  return numbers
}
