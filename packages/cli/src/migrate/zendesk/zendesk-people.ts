import { type FieldNames, namedFields } from '../field-names.ts'
import type { Reading } from '../reading.ts'
import { RefusedError } from '../source-error.ts'
import { idOf, isAddress, type Row, rowsOf, textOf, textsOf, timeOf } from '../values.ts'
import { writeAgent } from './zendesk-lists.ts'
import { readExport } from './zendesk-pages.ts'

/** All users that are no agents. The export names agents who have left too, whom the list of agents leaves out. */
export function readPeople(reading: Reading): Promise<void> {
  const list = { path: 'api/v2/incremental/users/cursor', name: 'users', query: { include: 'identities' } }
  let beside: Row | undefined
  let identities: ReadonlyMap<string, Row[]> | undefined
  return readExport(reading, list, async (user, page) => {
    if (beside !== page.beside) {
      beside = page.beside
      identities = identitiesByUser(beside?.['identities'])
    }
    await writeUser(reading, user, identities?.get(idOf(user['id']) ?? '') ?? (identities && []))
  })
}

function identitiesByUser(given: unknown): ReadonlyMap<string, Row[]> | undefined {
  if (!Array.isArray(given)) return undefined
  const byUser = new Map<string, Row[]>()
  for (const identity of rowsOf(given)) {
    const id = idOf(identity['user_id']) ?? ''
    byUser.set(id, [...(byUser.get(id) ?? []), identity])
  }
  return byUser
}

const gone = 'Deleted at the source'

/** Writes a user once, as an agent or as a person. Identities that the source did not send along are asked for. */
export async function writeUser(reading: Reading, user: Row, identities?: readonly Row[]): Promise<void> {
  const id = idOf(user['id'])
  if (id === undefined || reading.has('agents', id) || reading.has('people', id)) return
  if (user['role'] === 'agent' || user['role'] === 'admin') return writeAgent(reading, user)
  if (user['active'] === false) return reading.leaveOutOnce('people', id, gone)
  await writePerson(reading, user, identities ?? (await askIdentities(reading, id)))
}

async function askIdentities({ client }: Reading, id: string): Promise<Row[]> {
  try {
    const answer = await client.ask(`api/v2/users/${id}/identities`, {
      query: { 'page[size]': 100 },
      lists: ['identities'],
    })
    return rowsOf(answer['identities'])
  } catch (error) {
    // The user was deleted meanwhile.
    if (error instanceof RefusedError) return []
    throw error
  }
}

async function writePerson(reading: Reading, user: Row, identities: readonly Row[]): Promise<void> {
  const values = (type: string) =>
    identities.flatMap((identity) =>
      identity['type'] === type ? (textOf(identity['value'], 320) ?? []) : [],
    )
  const addresses = distinct([textOf(user['email'], 320), ...values('email')]).filter(isAddress)
  const numbers = distinct([textOf(user['phone'], 100), ...values('phone_number')])
  const names = reading.fact<FieldNames>('userFields') ?? {}
  const others = identities.filter(({ type }) => type !== 'email' && type !== 'phone_number')
  await reading.write('people', {
    id: idOf(user['id']) ?? '',
    name: textOf(user['name']) ?? null,
    emails: addresses.slice(0, 100).map((address, index) => ({ address, isPrimary: index === 0 })),
    phones: numbers
      .slice(0, 100)
      .map((number, index) => ({ number: number.slice(0, 100), isPrimary: index === 0 })),
    organisationId: idOf(user['organization_id']) ?? null,
    tags: textsOf(user['tags']).slice(0, 1_000),
    isBlocked: user['suspended'] === true,
    createdAt: timeOf(user['created_at']) ?? null,
    updatedAt: timeOf(user['updated_at']) ?? null,
    ...reading.fields([
      ...namedFields(user['user_fields'], names),
      ['External id', user['external_id']],
      ['Alias', user['alias']],
      ['Details', user['details']],
      ['Notes', user['notes']],
      ['Language', user['locale']],
      ['Time zone', user['iana_time_zone'] ?? user['time_zone']],
      ...others.map(({ type, value }) => [`Identity (${textOf(type, 40) ?? 'other'})`, value] as const),
    ]),
  })
  reading.leaveOut('addresses', 'A person has at most 100 addresses', Math.max(0, addresses.length - 100))
  await writeSuppressions(reading, identities)
}

/** Addresses to which the source could not deliver get no mail here either. */
async function writeSuppressions(reading: Reading, identities: readonly Row[]): Promise<void> {
  for (const identity of identities) {
    const address = textOf(identity['value'], 320)
    if (
      identity['type'] === 'email' &&
      identity['deliverable_state'] === 'undeliverable' &&
      isAddress(address)
    )
      await reading.write('suppressions', { address, reason: 'Undeliverable at Zendesk' })
  }
}

function distinct(values: readonly (string | undefined)[]): string[] {
  const seen = new Map<string, string>()
  for (const value of values)
    if (value !== undefined && !seen.has(value.toLowerCase())) seen.set(value.toLowerCase(), value)
  return [...seen.values()]
}
