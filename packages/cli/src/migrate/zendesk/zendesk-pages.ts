import { readPages } from '../read-pages.ts'
import type { Reading } from '../reading.ts'
import { RefusedError, sourceFailed } from '../source-error.ts'
import { type Row, rowOf, rowsOf, secondsOf, textOf } from '../values.ts'

type Query = Readonly<Record<string, string | number>>

interface List {
  readonly path: string
  /** The name of the list in the response. */
  readonly name: string
  readonly query?: Query
}

/** Returns one page of a list with cursors: https://developer.zendesk.com/api-reference/introduction/pagination/ */
export async function askPage(
  { client }: Reading,
  { path, name, query = {} }: List,
  cursor: string | undefined,
): Promise<{ rows: Row[]; next: string | undefined; beside: Row }> {
  const beside = await client.ask(path, {
    query: { ...query, 'page[size]': 100, 'page[after]': cursor },
    lists: [name],
  })
  const { has_more: hasMore, after_cursor: after } = rowOf(beside['meta'])
  const next = hasMore === true ? textOf(after) : undefined
  if (hasMore === true && next === undefined)
    throw sourceFailed(`Zendesk answered ${path} without its cursor.`)
  return { rows: rowsOf(beside[name]), next, beside }
}

/** Reads a whole list. */
export function readList(reading: Reading, list: List, write: (row: Row) => Promise<void>): Promise<void> {
  return readPages(reading, (cursor) => askPage(reading, list, cursor), write)
}

/** Reads a list that the plan of an account, or the role of the person, may not allow. */
export async function readAllowedList(
  reading: Reading,
  list: List,
  { kind, write }: { kind: string; write: (row: Row) => Promise<void> },
): Promise<void> {
  try {
    await readList(reading, list, write)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    reading.leaveOut(kind, `The account does not show its list (${error.status})`, null)
  }
}

/** A response of an export holds at most 1,000 records; fewer need less memory, and ten exports a minute are allowed. */
const exportPageSize = 500
/** An export lacks the changes of the last minute, so a later pass begins some minutes earlier. */
const overlapSeconds = 300

/**
 * Reads an export with cursors from its beginning, or from what changed since:
 * https://developer.zendesk.com/api-reference/ticketing/ticket-management/incremental_exports/
 */
export function readExport(
  reading: Reading,
  { path, name, query = {} }: List,
  write: (row: Row, page: { beside?: Row; mark: string | undefined }) => Promise<void>,
): Promise<void> {
  const start = reading.since === null ? 0 : secondsOf(reading.since) - overlapSeconds
  const ask = async (cursor: string | undefined) => {
    const from = cursor === undefined ? { start_time: start } : { cursor }
    const beside = await reading.client.ask(path, {
      query: { ...query, per_page: exportPageSize, ...from },
      lists: [name],
    })
    const { end_of_stream: isEnd, after_cursor: after } = beside
    const next = isEnd === true ? undefined : textOf(after)
    if (isEnd !== true && next === undefined)
      throw sourceFailed(`Zendesk answered ${path} without its cursor.`)
    return { rows: rowsOf(beside[name]), next, beside }
  }
  return readPages(reading, ask, write)
}
