import type { ImportFile } from '@crmkit/core'
import { csvRows } from './csv-rows.ts'
import { jsonArrayRows, ndjsonRows } from './json-rows.ts'
import { encodingOf, type FileEncoding } from './read-text.ts'

export const headBytes = 256 * 1024
const delimiters = [',', ';', '\t', '|'] as const
const headersMax = 500

export type Sniffed = Pick<ImportFile, 'format' | 'encoding' | 'delimiter' | 'headers'> & { hasRows: boolean }

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
    const rows = await collect(jsonArrayRows(chunksOf(text), 0))
    return { format: 'json', encoding, delimiter: null, headers: keysOf(rows), hasRows: rows.length > 0 }
  }
  if (isObject) {
    const rows = (await collect(ndjsonRows(chunksOf(text), 0))).filter((row) => row !== '')
    return { format: 'ndjson', encoding, delimiter: null, headers: keysOf(rows), hasRows: rows.length > 0 }
  }
  const delimiter = delimiterOf(text)
  const rows: string[][] = []
  for await (const { cells } of csvRows(chunksOf(text), { delimiter, from: 0 })) {
    rows.push(cells)
    if (rows.length > 50) break
  }
  const headers = (rows[0] ?? []).map((header) => header.trim()).slice(0, headersMax)
  const hasRows = rows.slice(1).some((cells) => cells.some((cell) => cell.trim() !== '')) || !isWhole
  return {
    format: 'csv',
    encoding,
    delimiter,
    headers,
    hasRows: hasRows && headers.some((name) => name !== ''),
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
function keysOf(rows: readonly string[]): string[] {
  const names = rows.flatMap((text) => {
    const value = parseObject(text)
    return value === undefined ? [] : Object.keys(value)
  })
  return [...new Set(names)].slice(0, headersMax)
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The delimiter that occurs most often in the header line, outside of quotes. */
function delimiterOf(text: string): string {
  const line = (text.split(/\r?\n/, 1)[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const counted = delimiters.map((delimiter) => [delimiter, line.split(delimiter).length] as const)
  const [best] = counted.toSorted(([, a], [, b]) => b - a)
  return best?.[0] ?? ','
}
