import { createReadStream } from 'node:fs'
import { isCode } from '../../../profile/file-lock.ts'
import { dumpRefused } from './dump-refused.ts'

/** A value of a column as text; null is SQL's null. */
export type Cells = ReadonlyMap<string, string | null>

interface CopyRow {
  /** Without its schema. */
  readonly table: string
  readonly cells: Cells
}

const copyLine = /^COPY (?:"?[\w$]+"?\.)?"?([\w$]+)"? \(([^)]+)\) FROM stdin;$/
const encodingLine = /^SET client_encoding = '([^']*)';$/

/** Yields the rows of a plain dump of `pg_dump`, of the tables that are asked for. Throws for a dump of another form. */
export async function* rowsOfDump(
  path: string,
  isWanted: (table: string) => boolean,
): AsyncGenerator<CopyRow> {
  let block: { table: string; columns: readonly string[]; isWanted: boolean } | undefined
  let isDump = false
  for await (const line of linesOf(path)) {
    if (block === undefined) {
      const found = copyLine.exec(line)
      if (found === null) {
        assertReadable(line)
        continue
      }
      const [, table = '', names = ''] = found
      const columns = names.split(', ').map((name) => name.replaceAll('"', ''))
      block = { table, columns, isWanted: isWanted(table) }
      isDump = true
      continue
    }
    if (line === '\\.') {
      block = undefined
      continue
    }
    if (!block.isWanted) continue
    const values = line.split('\t')
    const { table, columns } = block
    if (values.length !== columns.length) throw dumpRefused(`a row of ${table} has another number of columns`)
    yield { table, cells: new Map(columns.map((name, at) => [name, cellOf(values[at] ?? '')])) }
  }
  if (block !== undefined) throw dumpRefused(`it ends within the table ${block.table}`)
  if (!isDump)
    throw dumpRefused('it has no COPY blocks: make it with pg_dump --format=plain, without --inserts')
}

function assertReadable(line: string): void {
  if (line.startsWith('PGDMP')) throw dumpRefused('it is not plain: make it with pg_dump --format=plain')
  const encoding = encodingLine.exec(line)?.[1]
  if (encoding !== undefined && encoding !== 'UTF8')
    throw dumpRefused(`its encoding is ${encoding}: make it with pg_dump --encoding=UTF8`)
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Reads a value in the text form of COPY. */
function cellOf(text: string): string | null {
  if (text === '\\N') return null
  if (!text.includes('\\')) return text
  return text.replace(/\\(.)/gs, (_, sign: string) => escapes[sign] ?? sign)
}

/**
 * Yields lines that end with a line feed alone: other signs that end lines for people stand within values. The text behind the last line
 * feed is a line too.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let parts: Buffer[] = []
  try {
    for await (const chunk of createReadStream(path, {
      highWaterMark: 1024 * 1024,
    }) as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        parts.push(chunk.subarray(from, at))
        yield lineOf(parts)
        parts = []
        from = at + 1
      }
      if (from < chunk.length) parts.push(chunk.subarray(from))
    }
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'EISDIR')) throw dumpRefused('there is no such file')
    throw error
  }
  if (parts.length > 0) yield lineOf(parts)
}

/** A value never has a carriage return of its own: the dump writes it as an escape. */
function lineOf(parts: readonly Buffer[]): string {
  const line = (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)).toString('utf8')
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
