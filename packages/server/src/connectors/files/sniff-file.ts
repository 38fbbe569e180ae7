import type { ImportFile } from '@crmkit/core'
import { csvRows } from './csv-rows.ts'
import { type CsvShape, csvShapeOf, type GivenShape } from './csv-shape.ts'
import { jsonArrayRows, ndjsonRows } from './json-rows.ts'
import { parseObject } from './parse-object.ts'
import { encodingOf, type FileEncoding, withoutLines } from './read-text.ts'
import { columnsMax, uniqueNames } from './unique-names.ts'
import { vcardRows } from './vcard-rows.ts'

export const headBytes = 256 * 1024
const samplesMax = 50

export type Sniffed = Pick<ImportFile, 'format' | 'encoding' | 'delimiter' | 'headerRow' | 'headers'> & {
  hasRows: boolean
  /** More columns than an import reads; the headers are the first of them. */
  hasTooManyColumns: boolean
  /** The first rows, for people who look at the mapping. */
  samples: readonly (readonly unknown[])[]
  /** The first lines before the header. */
  outside: { row: number; text: string }[]
}

const outsideMax = 20
const outsideLengthMax = 100

/** Returns the lines with a text, as they are shown. */
export function outsideOf(lines: readonly (readonly [row: number, text: string])[]): Sniffed['outside'] {
  const filled = lines.flatMap(([row, text]) => {
    const shown = text.slice(0, outsideLengthMax).trim()
    return shown === '' ? [] : [{ row, text: shown }]
  })
  return filled.slice(0, outsideMax)
}

export interface SniffOptions {
  filename: string
  /** The head is the whole file. */
  isWhole: boolean
  /** Given by a person: not guessed. */
  given?: GivenShape & { encoding?: FileEncoding | undefined }
}

/** Finds format, encoding, delimiter and headers by the beginning of a file; the name decides only between equals. */
export async function sniffFile(
  head: Buffer,
  { filename, isWhole, given = {} }: SniffOptions,
): Promise<Sniffed> {
  const encoding = given.encoding ?? encodingOf(head, isWhole)
  const text = decode(head, encoding)
  const start = text.trimStart()
  if (/^begin:vcard\s/i.test(start)) {
    const cards = await collectCards(text, isWhole)
    return {
      format: 'vcf',
      encoding,
      delimiter: null,
      headerRow: null,
      ...columnsOfRecords(cards),
      outside: [],
    }
  }
  const isJson = !/\.[ct]sv$/i.test(filename)
  if (isJson && (start.startsWith('[') || (start.startsWith('{') && holdsList(start, isWhole)))) {
    const rows = await collect(jsonArrayRows(chunksOf(text)))
    return { format: 'json', encoding, delimiter: null, headerRow: null, ...fieldsOf(rows), outside: [] }
  }
  if (isJson && start.startsWith('{')) {
    const rows = (await collect(ndjsonRows(chunksOf(text)))).filter((row) => row !== '')
    return { format: 'ndjson', encoding, delimiter: null, headerRow: null, ...fieldsOf(rows), outside: [] }
  }
  // The last line may go on behind the head.
  const whole = isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1)
  const shape = await csvShapeOf(whole === '' ? text : whole, given)
  const lines = text.split('\n', Math.max(shape.headerRow - 1, 0))
  const outside = outsideOf(lines.map((line, at) => [at + 1, line] as const))
  return { format: 'csv', encoding, ...shape, ...(await columnsOf(text, { ...shape, isWhole })), outside }
}

/**
 * Whether an object holds the list of records, as the reply of an API does. A record with a list of objects is one of many, or it
 * has an id.
 */
function holdsList(text: string, isWhole: boolean): boolean {
  const lineEnd = text.indexOf('\n')
  const [line, rest] = lineEnd < 0 ? [text, ''] : [text.slice(0, lineEnd), text.slice(lineEnd)]
  const first = parseObject(line)
  if (first !== undefined && rest.trim() !== '') return false
  const whole = first ?? (isWhole ? parseObject(text) : undefined)
  if (whole === undefined) return beginsWithList.test(text)
  return !('id' in whole) && listsOf(whole) > 0
}

/** A list of objects behind a few plain fields. bounded: each part begins with another sign, and the head is short. */
const beginsWithList =
  /^\{(?:\s{0,20}"[^"\\]{1,100}"\s{0,20}:\s{0,20}(?:"[^"\\]{0,1000}"|[\w.+-]{1,40})\s{0,20},){0,50}\s{0,20}"[^"\\]{1,100}"\s{0,20}:\s{0,20}\[\s{0,20}\{/

function listsOf(value: Readonly<Record<string, unknown>>): number {
  return Object.values(value).filter((list) => Array.isArray(list) && list.some(isObject)).length
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Columns = Pick<Sniffed, 'headers' | 'hasRows' | 'hasTooManyColumns' | 'samples'>

async function columnsOf(
  text: string,
  { delimiter, headerRow, isWhole }: CsvShape & { isWhole: boolean },
): Promise<Columns> {
  const rows: string[][] = []
  const body = withoutLines(chunksOf(text), Math.max(headerRow - 1, 0))
  for await (const { cells } of csvRows(body, { delimiter })) {
    rows.push(cells)
    if (rows.length > samplesMax) break
  }
  const [first = [], ...behind] = rows
  const others = headerRow === 0 ? rows : behind
  const hasCells = others.some((cells) => cells.some((cell) => cell.trim() !== '')) || !isWhole
  return {
    headers: uniqueNames(headerRow === 0 ? first.map(() => '') : first),
    hasRows: hasCells && (headerRow === 0 || first.some((name) => name.trim() !== '')),
    // A header that is longer than the head is cut.
    hasTooManyColumns: first.length > columnsMax || (rows.length === 1 && !isWhole),
    samples: others,
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
    if (found.length >= samplesMax) break
  }
  return found
}

/** The names of the fields of the first records. */
function fieldsOf(rows: readonly string[]): Columns {
  return columnsOfRecords(rows.map((text) => parseObject(text) ?? {}))
}

/** The first cards; the last one of a head may be cut. */
async function collectCards(text: string, isWhole: boolean): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  for await (const { fields, problem } of vcardRows(chunksOf(text))) {
    if (problem === null || isWhole) found.push(Object.fromEntries(fields))
    if (found.length >= samplesMax) break
  }
  return found
}

function columnsOfRecords(records: readonly Record<string, unknown>[]): Columns {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  return {
    headers: uniqueNames(names),
    hasRows: records.length > 0,
    hasTooManyColumns: names.length > columnsMax,
    samples: records.map((record) => names.map((name) => record[name])),
  }
}
