import type { ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { ReadRow } from './file-rows.ts'
import { UnreadableArchive } from './zip-file.ts'

/** The encoding of a file was guessed by its beginning, and a later byte contradicts it. */
export class OtherEncoding extends UnreadableArchive {
  readonly row: number | null

  constructor({ encoding }: Pick<ImportFileRecord, 'encoding'>, row: number | null) {
    const where = row === null ? '' : ` in row ${row}`
    super('format', `holds signs${where} that ${encoding} does not have: set its encoding`)
    this.row = row
  }
}

/** Finds the row of a file that contradicts the encoding, unless a person has named it. */
export class EncodingWatch {
  readonly #file: Pick<ImportFileRecord, 'encoding' | 'survey'>
  #isContradicted = false
  readonly onContradiction: (() => void) | undefined

  constructor(file: Pick<ImportFileRecord, 'encoding' | 'survey'>) {
    this.#file = file
    if (file.survey?.isEncodingGiven) return
    this.onContradiction = () => {
      this.#isContradicted = true
    }
  }

  /** Throws at the row. The rows before it in the same part of the file are whole. */
  look(row: ReadRow): void {
    if (this.#isContradicted && hasUnknownSign(row)) throw new OtherEncoding(this.#file, row.row)
  }

  /** Throws when no row has the sign: it is in a line around the table. */
  end(): void {
    if (this.#isContradicted) throw new OtherEncoding(this.#file, null)
  }
}

function hasUnknownSign(row: ReadRow): boolean {
  const cells = row.type === 'record' ? [...row.values].flat() : row.type === 'unreadable' ? row.cells : []
  return (cells ?? []).some((value) => typeof value === 'string' && value.includes('\ufffd'))
}
