import type { Scratch } from '../../ports/scratch.ts'
import { createXmlParser, readXml, textsOf } from '../../shared/xml-parser.ts'
import { RichText } from './rich-text.ts'
import { type RawCell, type RawRow, rawRows } from './sheet-rows.ts'
import { type NumberFormat, numberFormatOf } from './sheet-values.ts'
import { archiveError, UnreadableArchive, type ZipFile } from './zip-file.ts'

export interface Sheet {
  name: string
  isHidden: boolean
  /** The entry of the archive. */
  entry: string
}

/** A row of a sheet by its number there. Rows that the sheet leaves out are blank. */
export interface SheetRow {
  row: number
  cells: string[]
  /** Positions of cells that hold an error, such as `#N/A`. */
  errors: readonly number[]
}

const relationships = 'xl/_rels/workbook.xml.rels'

/** A workbook of spreadsheets (.xlsx). */
export class Workbook {
  readonly sheets: readonly Sheet[]
  readonly #zip: ZipFile
  readonly #is1904: boolean
  readonly #formats: readonly NumberFormat[]

  private constructor(zip: ZipFile, book: { sheets: Sheet[]; is1904: boolean; formats: NumberFormat[] }) {
    this.#zip = zip
    this.sheets = book.sheets
    this.#is1904 = book.is1904
    this.#formats = book.formats
  }

  /** Whether an archive is a workbook of any kind. */
  static isIn({ entries }: Pick<ZipFile, 'entries'>): boolean {
    return entries.some(({ name }) => name.startsWith('xl/'))
  }

  /** Throws `UnreadableArchive` for a workbook that is not read. */
  static async open(zip: ZipFile): Promise<Workbook> {
    const names = zip.entries.map(({ name }) => name)
    if (names.some((name) => /^xl\/(?:vbaProject|workbook)\.bin$/.test(name))) {
      throw new UnreadableArchive(
        'format',
        'is a workbook with macros or of the binary form: save it as .xlsx',
      )
    }
    if (zip.entries.some(({ isEncrypted }) => isEncrypted)) {
      throw new UnreadableArchive('format', 'is an encrypted workbook: save it without a password')
    }
    try {
      const targets = await targetsOf(zip)
      const { sheets, is1904 } = await sheetsOf(zip, targets)
      return new Workbook(zip, { sheets, is1904, formats: await formatsOf(zip) })
    } catch (error) {
      throw readable(error)
    }
  }

  /** Returns the first rows of a sheet. Of the texts of the workbook, memory holds those that they show. */
  async firstRows({ entry }: Sheet, count: number): Promise<SheetRow[]> {
    const raw: RawRow[] = []
    for await (const row of this.#rawRows(entry)) {
      raw.push(row)
      if (raw.length >= count) break
    }
    const wanted = new Set(raw.flatMap(({ cells }) => cells.flatMap((cell) => sharedIn(cell))))
    const texts = new Map<number, string>()
    await this.#readTexts((index, text) => {
      if (wanted.has(index)) texts.set(index, text)
    })
    return raw.map((row) => shownRow(row, (index) => texts.get(index) ?? ''))
  }

  /** Returns all rows of a sheet. Texts of the workbook beyond a few megabytes are in the scratch. */
  async *rows({ entry }: Sheet, scratch: () => Scratch): AsyncGenerator<SheetRow> {
    const texts = new TextTable(scratch)
    try {
      await this.#readTexts((index, text) => texts.add(index, text))
      for await (const row of this.#rawRows(entry)) yield shownRow(row, (index) => texts.get(index))
    } finally {
      texts.close()
    }
  }

  async *#rawRows(entry: string): AsyncGenerator<RawRow> {
    try {
      yield* rawRows(await this.#partOf(entry), this.#reading())
    } catch (error) {
      throw readable(error)
    }
  }

  #reading() {
    return { formats: this.#formats, is1904: this.#is1904 }
  }

  async #partOf(entry: string): Promise<AsyncIterable<Buffer>> {
    const part = await this.#zip.read(entry)
    if (part === undefined) throw new UnreadableArchive('format', 'is a damaged workbook')
    return part
  }

  /** Reads the texts that cells of all sheets refer to by their position. */
  async #readTexts(add: (index: number, text: string) => void): Promise<void> {
    const part = await this.#zip.read('xl/sharedStrings.xml')
    if (part === undefined) return
    let index = 0
    const reader = new RichText()
    const parser = createXmlParser({
      open: (name) => reader.open(name, 'si'),
      text: (text) => reader.add(text),
      close: (name) => {
        const text = reader.close(name, 'si')
        if (text !== undefined) add(index++, text)
      },
    })
    try {
      for await (const text of textsOf(part)) parser.write(text)
    } catch (error) {
      throw readable(error)
    }
  }
}

/** Anything that is no XML, or no workbook, is damaged. */
function readable(error: unknown): Error {
  return archiveError(error, 'format', 'is a damaged workbook')
}

const memoryMax = 8 * 1024 * 1024

/** Texts by their positions: the first in memory, the others in a scratch. */
class TextTable {
  readonly #open: () => Scratch
  readonly #first: string[] = []
  #length = 0
  #scratch: Scratch | undefined

  constructor(open: () => Scratch) {
    this.#open = open
  }

  add(index: number, text: string): void {
    if (this.#length < memoryMax) {
      this.#first.push(text)
      this.#length += text.length + 16
      return
    }
    this.#scratch ??= this.#open()
    this.#scratch.set(String(index), text)
  }

  get(index: number): string {
    return this.#first[index] ?? this.#scratch?.get(String(index)) ?? ''
  }

  close(): void {
    this.#scratch?.close()
  }
}

function sharedIn(cell: RawCell): number[] {
  return typeof cell === 'object' && 'shared' in cell ? [cell.shared] : []
}

function shownRow({ row, cells }: RawRow, textAt: (index: number) => string): SheetRow {
  const errors: number[] = []
  const texts = cells.map((cell, at) => {
    if (typeof cell === 'string') return unescaped(cell)
    if ('shared' in cell) return unescaped(textAt(cell.shared))
    errors.push(at)
    return ''
  })
  while (texts.length > 0 && texts.at(-1)?.trim() === '' && !errors.includes(texts.length - 1)) texts.pop()
  return { row, cells: texts, errors }
}

/** A workbook writes signs that XML does not have as `_x000D_`. */
function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

async function targetsOf(zip: ZipFile): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>()
  const part = await zip.read(relationships)
  if (part === undefined) throw new UnreadableArchive('format', 'is a damaged workbook')
  await readXml(part, {
    open: (name, attributes) => {
      const { Id: id = '', Target: target = '' } = attributes
      if (name === 'Relationship') targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    },
  })
  return targets
}

async function sheetsOf(
  zip: ZipFile,
  targets: ReadonlyMap<string, string>,
): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const sheets: Sheet[] = []
  let is1904 = false
  const part = await zip.read('xl/workbook.xml')
  if (part === undefined) throw new UnreadableArchive('format', 'is a damaged workbook')
  await readXml(part, {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (element !== 'sheet') return
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
      const entry = targets.get(id)
      const { name = '', state = 'visible' } = attributes
      // A sheet of charts has no rows.
      if (entry?.includes('worksheets/')) sheets.push({ name, isHidden: state !== 'visible', entry })
    },
  })
  return { sheets, is1904 }
}

/** Returns the format of each style of cells, by its position. */
async function formatsOf(zip: ZipFile): Promise<NumberFormat[]> {
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  const part = await zip.read('xl/styles.xml')
  let isOfCells = false
  if (part === undefined) return []
  await readXml(part, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      const id = Number(numFmtId)
      if (name === 'numFmt') codes.set(id, formatCode)
      if (name === 'cellXfs') isOfCells = true
      if (name === 'xf' && isOfCells) formats.push(numberFormatOf(id, codes.get(id)))
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return formats
}
