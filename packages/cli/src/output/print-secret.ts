import { cleanLine } from './clean-text.ts'
import type { Column } from './column.ts'
import type { Output } from './output.ts'
import { printRecord } from './print-record.ts'

/** A kind of secret that the server shows once, and how it is printed. */
export interface SecretKind<Created extends { readonly _id: string }> {
  /** The property that holds the secret. */
  readonly field: keyof Created & string
  /** As in "The signing secret is in FILE." */
  readonly name: string
  /** The title of the secret's column. */
  readonly title: string
  readonly columns: readonly Column<Created>[]
  /** The columns beside the secret; default: all. */
  readonly columnsBeside?: readonly Column<Created>[]
  /** The instruction for the reader, as the end of a sentence. */
  readonly advice?: string
}

/** A record with its secret, after it was saved or could not be. */
export interface SavedSecret<Created> {
  readonly created: Created
  /** The file that holds the secret; undefined when it has to be shown. */
  readonly savedIn: string | undefined
}

export function secretOf<Created extends { readonly _id: string }>(
  { field }: SecretKind<Created>,
  created: Created,
): string {
  return String(created[field])
}

/** Prints the secret in one place only: not at all when a file holds it, else on stdout. */
export function printSecret<Created extends { readonly _id: string }>(
  output: Output,
  kind: SecretKind<Created>,
  { created, savedIn }: SavedSecret<Created>,
): void {
  const { field, name, title, columns, columnsBeside = columns, advice } = kind
  if (savedIn !== undefined) {
    output.say(`The ${name} is in ${cleanLine(savedIn)}${advice ? `: ${advice}` : ''}.`)
    const { [field]: _, ...row } = created
    printRecord<object>(output, { row, columns: columns as readonly Column<object>[], quiet: created._id })
    return
  }
  const secret = secretOf(kind, created)
  output.say(`The ${name} is shown only once${advice ? `; ${advice}` : ''}:`)
  const withSecret = [...columnsBeside, { title, value: () => secret }]
  printRecord(output, { row: created, columns: withSecret, quiet: secret })
}
