import { decodeCursor, encodeCursor } from './cursor.ts'

/*
 * A position in the event log as callers see it: opaque, and the same for every adapter, so that a reader of the log
 * can continue after the data has moved to another database.
 */

const rule = {
  list: 'events',
  isValue: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0,
}

export function encodeEventPosition(position: number): string {
  return encodeCursor(rule.list, { value: position, id: '' })
}

/** Throws `InvalidCursor` for a text that `encodeEventPosition` has not made. */
export function decodeEventPosition(text: string): number {
  return decodeCursor(text, rule).value as number
}

/** Before every event. */
export const firstEventPosition: string = encodeEventPosition(0)
