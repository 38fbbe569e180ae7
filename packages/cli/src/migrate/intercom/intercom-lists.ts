import { readPages } from '../read-pages.ts'
import type { Reading } from '../reading.ts'
import { RefusedError } from '../source-error.ts'
import { contentOf, idOf, type Row, rowOf, rowsOf, secondsOf, textOf } from '../values.ts'

const pageSize = 150

interface List {
  readonly path: string
  /** The name of the list in the response. */
  readonly name: string
}

/** Reads a list with cursors. A later pass searches for what changed. */
export function readList(reading: Reading, list: List, write: (row: Row) => Promise<void>): Promise<void> {
  const { client, since } = reading
  const ask = async (cursor: string | undefined) => {
    const answer =
      since === null || list.name === 'macros'
        ? await client.ask(list.path, {
            query: { per_page: pageSize, starting_after: cursor },
            lists: [list.name],
          })
        : await client.ask(`${list.path}/search`, { body: searchOf(since, cursor), lists: [list.name] })
    return { rows: rowsOf(answer[list.name]), next: cursorOf(answer) }
  }
  return readPages(reading, ask, (row) => write(row))
}

/** Searches compare days of the account's time zone, so a search begins two days earlier. */
const earlierSeconds = 2 * 86_400

function searchOf(since: string, cursor: string | undefined): object {
  const value = secondsOf(since) - earlierSeconds
  const pagination = { per_page: pageSize, ...(cursor !== undefined && { starting_after: cursor }) }
  return { query: { field: 'updated_at', operator: '>', value }, pagination }
}

function cursorOf(answer: Row): string | undefined {
  return textOf(rowOf(rowOf(answer['pages'])['next'])['starting_after'])
}

export async function readAdmins(reading: Reading): Promise<void> {
  const { admins } = await reading.client.ask('admins', { lists: ['admins'] })
  for (const admin of rowsOf(admins)) {
    const id = idOf(admin['id'])
    if (id === undefined || reading.has('agents', id)) continue
    await reading.write('agents', {
      id,
      name: textOf(admin['name']) ?? id,
      email: textOf(admin['email']) ?? null,
      role: textOf(rowOf(admin['role'])['name']) ?? textOf(admin['job_title']) ?? null,
      isActive: true,
    })
  }
}

/** Contacts name their tags by ids. */
export async function readTags(reading: Reading): Promise<void> {
  const { data } = await reading.client.ask('tags', { lists: ['data'] })
  const names = rowsOf(data).map(({ id, name }) => [idOf(id) ?? '', textOf(name, 200) ?? ''] as const)
  reading.learn('tags', Object.fromEntries(names))
}

export async function readMacros(reading: Reading): Promise<void> {
  try {
    const ask = async (cursor: string | undefined) => {
      const answer = await reading.client.ask('macros', {
        query: { per_page: pageSize, starting_after: cursor },
        lists: ['data'],
      })
      return { rows: rowsOf(answer['data']), next: cursorOf(answer) }
    }
    await readPages(reading, ask, (macro) => writeMacro(reading, macro))
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    reading.leaveOut('replies', `The account does not show its list (${error.status})`, null)
  }
}

async function writeMacro(reading: Reading, macro: Row): Promise<void> {
  const id = idOf(macro['id'])
  const { content } = contentOf(macro['body_text'] ?? macro['body'])
  if (id === undefined) return
  if (content.trim() === '') return reading.leaveOut('replies', 'The macro writes no text')
  await reading.write('replies', { id, title: textOf(macro['name']) ?? id, content, contentType: 'text' })
}

const companiesOfPage = 50
const companiesMax = 10_000

/** The list ends after 10,000 companies, and has none without people. */
export async function readCompanies(reading: Reading): Promise<void> {
  const seen = new Set<string>()
  for (let page = 1; page <= companiesMax / companiesOfPage; page += 1) {
    const query = { page, per_page: companiesOfPage }
    const { data, total_count: total } = await reading.client.ask('companies/list', {
      query,
      body: {},
      lists: ['data'],
    })
    const rows = rowsOf(data)
    for (const company of rows) await writeCompany(reading, company, seen)
    if (rows.length < companiesOfPage) break
    if (page === companiesMax / companiesOfPage && typeof total === 'number')
      reading.leaveOut('organisations', 'Intercom lists 10,000 companies', Math.max(0, total - seen.size))
  }
  reading.leaveOut('organisations', 'Intercom lists no company without people', null)
}

async function writeCompany(reading: Reading, company: Row, seen: Set<string>): Promise<void> {
  const id = idOf(company['id'])
  if (id === undefined || seen.has(id)) return
  seen.add(id)
  await reading.write('organisations', {
    id,
    name: textOf(company['name']) ?? textOf(company['company_id']) ?? id,
    ...reading.fields([
      ...Object.entries(rowOf(company['custom_attributes'])),
      ['Company id', company['company_id']],
      ['Website', company['website']],
      ['Industry', company['industry']],
      ['Size', company['size']],
      ['Plan', rowOf(company['plan'])['name']],
    ]),
  })
}
