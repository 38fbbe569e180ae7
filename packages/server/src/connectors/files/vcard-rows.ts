import { decodeProperty, type VcardProperty, valuesOf } from './vcard-property.ts'

export interface VcardRow {
  /** The values of a person by the names of their columns. */
  fields: ReadonlyMap<string, string>
  /** Says why the card is no record. */
  problem: { code: 'INVALID_RECORD' | 'FILE_CUT'; message: string } | null
}

const cardLengthMax = 256 * 1024

/** Bytes of a picture, a sound or a key are no values of a person here. */
const leftOut: ReadonlySet<string> = new Set([
  'PHOTO',
  'LOGO',
  'SOUND',
  'KEY',
  'VERSION',
  'PRODID',
  'PROFILE',
])

/** Reads the cards of a vCard text, versions 2.1 to 4.0 (RFC 6350), one record for each. */
export async function* vcardRows(text: AsyncIterable<Buffer>): AsyncGenerator<VcardRow> {
  let card: Card | undefined
  for await (const line of logicalLines(text)) {
    const name = line.toUpperCase().trim()
    if (name === 'BEGIN:VCARD') {
      if (card !== undefined) yield cut
      card = new Card()
    } else if (name === 'END:VCARD') {
      if (card !== undefined) yield card.row()
      card = undefined
    } else card?.add(line)
  }
  if (card !== undefined) yield cut
}

const cut: VcardRow = {
  fields: new Map(),
  problem: { code: 'FILE_CUT', message: 'the card has no end' },
}

/** A card of another kind than a person, such as a group, has its properties too. */
class Card {
  readonly #properties: VcardProperty[] = []
  #length = 0

  add(line: string): void {
    this.#length += line.length
    if (this.#length > cardLengthMax) return
    const property = decodeProperty(line)
    if (property !== undefined && !leftOut.has(property.name)) this.#properties.push(property)
  }

  row(): VcardRow {
    if (this.#length > cardLengthMax) {
      const message = `has more than ${cardLengthMax / 1024} KB of text`
      return { fields: new Map(), problem: { code: 'INVALID_RECORD', message } }
    }
    return { fields: columnsOf(this.#properties), problem: null }
  }
}

/** The columns of properties that have a name of their own here; the parts of a value are divided by semicolons. */
const columns: Readonly<Record<string, readonly string[]>> = {
  UID: ['UID'],
  N: ['Last Name', 'First Name', 'Middle Name', 'Name Prefix', 'Name Suffix'],
  FN: ['Full Name'],
  EMAIL: ['Email'],
  TEL: ['Phone'],
  ORG: ['Company', 'Department'],
  TITLE: ['Job Title'],
  CATEGORIES: ['Categories'],
  NOTE: ['Note'],
  ADR: ['PO Box', 'Address 2', 'Street', 'City', 'State', 'Postal Code', 'Country'],
  BDAY: ['Birthday'],
  URL: ['URL'],
  REV: ['Last Modified'],
}
const hasParts: ReadonlySet<string> = new Set(['N', 'ORG', 'ADR'])

/** Gives each value a column: the second e-mail address is `Email 2`. A preferred one comes first. */
function columnsOf(properties: readonly VcardProperty[]): Map<string, string> {
  const byPreference = properties.toSorted((a, b) => Number(b.isPreferred) - Number(a.isPreferred))
  const counts = new Map<string, number>()
  const fields = new Map<string, string>()
  for (const property of byPreference) {
    const count = (counts.get(property.name) ?? 0) + 1
    counts.set(property.name, count)
    for (const [column, value] of partsOf(property))
      fields.set(count === 1 ? column : `${column} ${count}`, value)
  }
  if (fields.has('Last Name') || fields.has('First Name')) fields.delete('Full Name')
  return fields
}

/** The filled parts of a property, each with its column. */
function partsOf({ name, value }: VcardProperty): [column: string, value: string][] {
  const parts = valuesOf(value, hasParts.has(name) ? ';' : '')
  const names = columns[name] ?? [columnNameOf(name)]
  return parts.flatMap((part, at) => {
    const column = names[at]
    return column === undefined || part.trim() === '' ? [] : [[column, part] as [string, string]]
  })
}

/** `X-SKYPE-USERNAME` is shown as `Skype username`. */
function columnNameOf(name: string): string {
  const words = name.replace(/^X-/, '').replaceAll('-', ' ').toLowerCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const lineLengthMax = 1024 * 1024

/** The lines of a text, with those that go on joined: by a blank at the beginning, or in version 2.1 by `=` at the end. */
async function* logicalLines(text: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const line = new LogicalLine()
  for await (const next of physicalLines(text)) {
    if (line.takes(next)) continue
    yield line.begin(next)
  }
  yield line.begin('')
}

const quotedPrintable = /;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i

class LogicalLine {
  #pieces: string[] = []
  #length = 0
  #isQuoted = false

  /** Adds a line that goes on; returns false for one that is a line of its own. */
  takes(next: string): boolean {
    const last = this.#pieces.at(-1)
    if (last === undefined) return false
    const isSoft = this.#isQuoted && last.endsWith('=')
    if (!isSoft && !/^[ \t]/.test(next)) return false
    if (isSoft) this.#pieces.push(this.#pieces.pop()?.slice(0, -1) ?? '')
    this.#length += next.length
    if (this.#length < lineLengthMax) this.#pieces.push(isSoft ? next : next.slice(1))
    return true
  }

  /** Begins the next line, and returns the one before. */
  begin(next: string): string {
    const line = this.#pieces.join('')
    this.#pieces = next === '' ? [] : [next]
    this.#length = next.length
    this.#isQuoted = quotedPrintable.test(next.slice(0, 200))
    return line
  }
}

async function* physicalLines(text: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of text) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    let start = 0
    for (;;) {
      const end = pending.indexOf(0x0a, start)
      if (end < 0) break
      yield pending.toString('utf8', start, end).replace(/\r$/, '')
      start = end + 1
    }
    pending = pending.subarray(start)
    // A line without an end is no line of a card.
    if (pending.length > lineLengthMax) pending = Buffer.alloc(0)
  }
  if (pending.length > 0) yield pending.toString('utf8').replace(/\r$/, '')
}
