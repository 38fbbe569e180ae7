import { InvalidCursor } from './errors.ts'

/** A list in one order, such as `customers:-createdAt`: a cursor of one is no cursor of another. */
export interface CursorRule {
  list: string
  isValue(value: unknown): boolean
}

export interface CursorPosition {
  /** The sort value of the last row that was returned. */
  value: string | number
  /** Its id, which breaks ties. */
  id: string
}

const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export function isMomentValue(value: unknown): boolean {
  return typeof value === 'string' && isoMoment.test(value)
}

export function encodeCursor(list: string, { value, id }: CursorPosition): string {
  return Buffer.from(JSON.stringify([list, value, id])).toString('base64url')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** Throws `InvalidCursor` unless the text is exactly what `encodeCursor` makes for this list and order. */
export function decodeCursor(text: string, rule: CursorRule): CursorPosition {
  const parts = parse(text)
  if (Array.isArray(parts) && parts.length === 3) {
    const [list, value, id] = parts as [unknown, string | number, unknown]
    if (list === rule.list && rule.isValue(value) && typeof id === 'string') {
      const position = { value, id }
      if (encodeCursor(rule.list, position) === text) return position
    }
  }
  throw new InvalidCursor('the cursor was not given out by this list in this order')
}
