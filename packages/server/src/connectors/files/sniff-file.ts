import type { ImportFile } from '@crmkit/core'
import { csvRows } from './csv-rows.ts'
import { jsonArrayRows, ndjsonRows } from './json-rows.ts'
import { parseObject } from './parse-object.ts'
import { encodingOf, type FileEncoding } from './read-text.ts'
import { columnsMax, uniqueNames } from './unique-names.ts'

export const headBytes = 256 * 1024
const delimiters = [',', ';', '\t', '|'] as const

export type Sniffed = Pick<ImportFile, 'format' | 'encoding' | 'delimiter' | 'headers'> & {
  hasRows: boolean
  /** More columns than an import reads; the headers are the first of them. */
  hasTooManyColumns: boolean
}

/** Finds format, encoding, delimiter and headers by the beginning of a file; the name decides only between equals. */
export async function sniffFile(
  head: Buffer,
  { filename, isWhole }: { filename: string; isWhole: boolean },
): Promise<Sniffed> {
  const encoding = encodingOf(head, isWhole)
  const text = decode(head, encoding)
  const start = text.trimStart()
  const isObject = start.startsWith('{') && !/\.csv$/i.test(filename)
  if (start.startsWith('[') && !/\.csv$/i.test(filename)) {
    const rows = await collect(jsonArrayRows(chunksOf(text)))
    return { format: 'json', encoding, delimiter: null, ...fieldsOf(rows) }
  }
  if (isObject) {
    const rows = (await collect(ndjsonRows(chunksOf(text)))).filter((row) => row !== '')
    return { format: 'ndjson', encoding, delimiter: null, ...fieldsOf(rows) }
  }
  const delimiter = delimiterOf(text)
  return { format: 'csv', encoding, delimiter, ...(await columnsOf(text, { delimiter, isWhole })) }
}

type Columns = Pick<Sniffed, 'headers' | 'hasRows' | 'hasTooManyColumns'>

async function columnsOf(
  text: string,
  { delimiter, isWhole }: { delimiter: string; isWhole: boolean },
): Promise<Columns> {
  const rows: string[][] = []
  for await (const { cells } of csvRows(chunksOf(text), { delimiter })) {
    rows.push(cells)
    if (rows.length > 50) break
  }
  const [header = [], ...others] = rows
  const hasCells = others.some((cells) => cells.some((cell) => cell.trim() !== '')) || !isWhole
  return {
    headers: uniqueNames(header),
    hasRows: hasCells && header.some((name) => name.trim() !== ''),
    // A header that is longer than the head is cut.
    hasTooManyColumns: header.length > columnsMax || (rows.length === 1 && !isWhole),
  }
}

function decode(head: Buffer, encoding: FileEncoding): string {
  return new TextDecoder(encoding).decode(head)
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

async function collect(rows: AsyncIterable<{ text: string }>): Promise<string[]> {
  const found: string[] = []
  for await (const { text } of rows) {
    found.push(text)
    if (found.length >= 50) break
  }
  return found
}

/** The names of the fields of the first records. */
function fieldsOf(rows: readonly string[]): Columns {
  const names = new Set(rows.flatMap((text) => Object.keys(parseObject(text) ?? {})))
  const hasTooManyColumns = names.size > columnsMax
  return { headers: uniqueNames([...names]), hasRows: rows.length > 0, hasTooManyColumns }
}

/** The delimiter that occurs most often in the header line, outside of quotes. */
function delimiterOf(text: string): string {
  const line = (text.split(/\r?\n/, 1)[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const counted = delimiters.map((delimiter) => [delimiter, line.split(delimiter).length] as const)
  const [best] = counted.toSorted(([, a], [, b]) => b - a)
  return best?.[0] ?? ','
}
