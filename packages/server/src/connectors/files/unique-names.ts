import { forbiddenKeys } from '@crmkit/core'
import { cleanText } from '../clean-text.ts'

/** An import reads as many columns of a file. */
export const columnsMax = 1_000

/** A name with its position or number behind it is a name of a custom field still. */
const nameLengthMax = 100

/** The reference to the source is in a custom field of this name. */
const reserved: ReadonlySet<string> = new Set([...forbiddenKeys, 'external'])

/**
 * The names of the columns of a file: each column has one of its own. A column without a name is `Column 4`, the second one of
 * a name is `Phone 2`, and a name that no field may have is `__proto__ (column 3)`. Positions begin with 1.
 */
export class UniqueNames {
  readonly #taken = new Set<string>()
  #position = 0

  /** Returns the name of the next column. */
  next(header: string): string {
    this.#position += 1
    const clean = cleanText(header, { lengthMax: nameLengthMax }).text ?? `Column ${this.#position}`
    const base = reserved.has(clean) ? `${clean} (column ${this.#position})` : clean
    let name = base
    for (let number = 2; this.#taken.has(name); number++) name = `${base} ${number}`
    this.#taken.add(name)
    return name
  }
}

/** The names of the columns that an import reads. */
export function uniqueNames(headers: readonly string[]): string[] {
  const names = new UniqueNames()
  return headers.slice(0, columnsMax).map((header) => names.next(header))
}
