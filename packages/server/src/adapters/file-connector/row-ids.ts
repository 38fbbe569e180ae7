import type { RowPerson } from '../../connectors/files/file-record.ts'
import type { FileRow } from '../../connectors/files/file-rows.ts'
import { digestOf, digestOfRow, digestsOfPerson } from '../../connectors/files/row-digests.ts'
import type { SameIdRow, SourceRecord } from '../../ports/connector.ts'
import type { OpenScratch, Scratch } from '../../ports/scratch.ts'

/** Of more rows with one id only the first are noted: they say enough. */
const sameIdMax = 8

/** A row with the digest of its cells. */
type NotedRow = readonly [row: number, digest: string]

/** The ids of the rows of one file, in a scratch on disk however many there are. */
export class RowIds {
  readonly #openScratch: OpenScratch
  readonly #integrationId: string
  #scratch: Scratch | undefined

  constructor(openScratch: OpenScratch, integrationId: string) {
    this.#openScratch = openScratch
    this.#integrationId = integrationId
  }

  /**
   * Makes the ids of a row without one, the best first. A person is known by e-mail address and name, else by the address; any other row
   * by its digest, and a number for each equal row after the first.
   */
  next(values: FileRow['values'], person: RowPerson | null): [string, ...string[]] {
    const byRow = this.#nextOfRow(values)
    const [first = byRow, ...others] = digestsOfPerson(this.#integrationId, person)
    return first === byRow ? [byRow] : [first, ...others, byRow]
  }

  #nextOfRow(values: FileRow['values']): string {
    const digest = digestOfRow(values)
    const key = `row ${digest}`
    const known = this.#texts().add(key, '1')
    if (known === undefined) return digest
    const count = Number(known) + 1
    this.#texts().set(key, String(count))
    return `${digest}_${count}`
  }

  /** Notes the id of a row, and returns the first rows before it that have it. */
  note(id: string, { row, values }: FileRow): SameIdRow[] {
    const digest = digestOf([...values])
    const key = keyOf(id)
    const known = this.#texts().add(key, JSON.stringify([[row, digest]]))
    if (known === undefined) return []
    const noted: NotedRow[] = JSON.parse(known)
    if (noted.length < sameIdMax) this.#texts().set(key, JSON.stringify([...noted, [row, digest]]))
    return noted.map(([number, other]) => ({ row: number, isEqual: other === digest }))
  }

  /** Returns the other rows with the id of a record, before it and behind it. */
  others({ id, row, sameId }: SourceRecord): SourceRecord['sameId'] {
    const noted = this.#notedOf(id)
    const own = noted.find(([number]) => number === row)?.[1]
    const rows = noted.flatMap(([number, digest]) =>
      number === row ? [] : [{ row: number, isEqual: digest === own }],
    )
    return sameId && { ...sameId, rows }
  }

  close(): void {
    this.#scratch?.close()
  }

  #notedOf(id: string): NotedRow[] {
    const text = this.#texts().get(keyOf(id))
    return text === undefined ? [] : JSON.parse(text)
  }

  #texts(): Scratch {
    this.#scratch ??= this.#openScratch()
    return this.#scratch
  }
}

function keyOf(id: string): string {
  return `id ${digestOf(id)}`
}
