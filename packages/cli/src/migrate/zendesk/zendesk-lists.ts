import { type FieldNames, namedFields } from '../field-names.ts'
import type { Reading } from '../reading.ts'
import { credentialRefused, RefusedError } from '../source-error.ts'
import { contentOf, idOf, type Row, rowOf, rowsOf, textOf, textsOf } from '../values.ts'
import { askPage, readAllowedList, readList } from './zendesk-pages.ts'

/** Only an administrator may read the exports. */
export async function checkAccount({ client }: Reading): Promise<void> {
  try {
    const { user } = await client.ask('api/v2/users/me')
    const { id, role } = rowOf(user)
    // Somebody who is not signed in gets a response too.
    if (idOf(id) === undefined) throw credentialRefused('Zendesk', 'it knows nobody by it.')
    if (role !== 'admin') throw credentialRefused('Zendesk', 'only an administrator can export an account.')
  } catch (error) {
    if (error instanceof RefusedError) throw credentialRefused('Zendesk', `it answered with ${error.status}.`)
    throw error
  }
}

export function readAgents(reading: Reading): Promise<void> {
  const list = { path: 'api/v2/users?role[]=agent&role[]=admin', name: 'users' }
  return readList(reading, list, (user) => writeAgent(reading, user))
}

export async function writeAgent(reading: Reading, user: Row): Promise<void> {
  const id = idOf(user['id'])
  if (id === undefined || reading.has('agents', id)) return
  await reading.write('agents', {
    id,
    name: textOf(user['name']) ?? id,
    email: textOf(user['email']) ?? null,
    role: textOf(user['role']) ?? null,
    isActive: user['active'] !== false && user['suspended'] !== true,
  })
}

export type Inboxes = Readonly<Record<string, string>>

/** The addresses of the account are its inboxes. */
export async function readAddresses(reading: Reading): Promise<void> {
  const inboxes: [string, string][] = []
  const list = { path: 'api/v2/recipient_addresses', name: 'recipient_addresses' }
  for await (const row of rowsOfList(reading, list)) {
    const id = idOf(row['id'])
    const address = textOf(row['email'])
    if (id === undefined || address === undefined) continue
    const name = textOf(row['name']) ?? address
    await reading.write('inboxes', { id, name, channel: 'email', address })
    inboxes.push([address.toLowerCase(), id])
  }
  reading.learn('inboxes', Object.fromEntries(inboxes))
}

/** The pages of a short list, read in one go: a kill begins it again. */
async function* rowsOfList(reading: Reading, list: Parameters<typeof askPage>[1]): AsyncGenerator<Row> {
  let cursor: string | undefined
  do {
    const page: Awaited<ReturnType<typeof askPage>> = await askPage(reading, list, cursor)
    yield* page.rows
    cursor = page.next === cursor ? undefined : page.next
  } while (cursor !== undefined)
}

const fieldLists = [
  { fact: 'ticketFields', path: 'api/v2/ticket_fields', name: 'ticket_fields', key: 'id', title: 'title' },
  { fact: 'userFields', path: 'api/v2/user_fields', name: 'user_fields', key: 'key', title: 'title' },
  {
    fact: 'organizationFields',
    path: 'api/v2/organization_fields',
    name: 'organization_fields',
    key: 'key',
    title: 'title',
  },
] as const

export async function readFieldNames(reading: Reading): Promise<void> {
  for (const { fact, key, title, ...list } of fieldLists) {
    const names: [string, string][] = []
    try {
      for await (const row of rowsOfList(reading, list))
        names.push([idOf(row[key]) ?? '', textOf(row[title], 100) ?? String(row[key])])
    } catch (error) {
      // Without their names the fields keep their ids.
      if (!(error instanceof RefusedError)) throw error
    }
    reading.learn(fact, Object.fromEntries(names))
  }
  reading.learn('statuses', await statusNames(reading))
}

/** Own words for the states of tickets, where the account has some. Their list has no pages. */
async function statusNames({ client }: Reading): Promise<FieldNames> {
  try {
    const { custom_statuses: statuses } = await client.ask('api/v2/custom_statuses', {
      lists: ['custom_statuses'],
    })
    return Object.fromEntries(
      rowsOf(statuses).map((row) => [idOf(row['id']) ?? '', textOf(row['agent_label']) ?? '']),
    )
  } catch (error) {
    if (error instanceof RefusedError) return {}
    throw error
  }
}

/** The texts that macros write are canned replies; what else they do stays behind. */
export function readMacros(reading: Reading): Promise<void> {
  const write = async (macro: Row) => {
    const id = idOf(macro['id'])
    if (id === undefined) return
    const text = textOfMacro(macro)
    if (text === undefined) return reading.leaveOut('replies', 'The macro writes no text')
    await reading.write('replies', { id, title: textOf(macro['title']) ?? id, ...text })
  }
  return readAllowedList(reading, { path: 'api/v2/macros', name: 'macros' }, { kind: 'replies', write })
}

function textOfMacro({ actions }: Row): { content: string; contentType: 'html' | 'text' } | undefined {
  for (const [field, contentType] of [
    ['comment_value_html', 'html'],
    ['comment_value', 'text'],
  ] as const) {
    const action = rowsOf(actions).find((one) => one['field'] === field)
    // A comment for one channel only is a list of the channel and the text.
    const value = Array.isArray(action?.['value']) ? action['value'].at(-1) : action?.['value']
    const { content } = contentOf(value)
    if (content.trim() !== '') return { content, contentType }
  }
  return undefined
}

export function readOrganizations(reading: Reading): Promise<void> {
  const names = reading.fact<FieldNames>('organizationFields') ?? {}
  const write = async (row: Row) => {
    const id = idOf(row['id'])
    if (id === undefined) return
    await reading.write('organisations', {
      id,
      name: textOf(row['name']) ?? id,
      domains: textsOf(row['domain_names']).slice(0, 1_000),
      ...reading.fields([
        ...namedFields(row['organization_fields'], names),
        ['External id', row['external_id']],
        ['Details', row['details']],
        ['Notes', row['notes']],
        ['Tags', row['tags']],
      ]),
    })
  }
  return readList(reading, { path: 'api/v2/organizations', name: 'organizations' }, write)
}
