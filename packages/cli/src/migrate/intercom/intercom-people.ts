import { type FieldNames, nameOf } from '../field-names.ts'
import type { Reading } from '../reading.ts'
import { RefusedError } from '../source-error.ts'
import { contentOf, idOf, isAddress, type Row, rowOf, rowsOf, textOf, timeOf } from '../values.ts'
import { readList } from './intercom-lists.ts'

export function readContacts(reading: Reading): Promise<void> {
  return readList(reading, { path: 'contacts', name: 'data' }, (contact) => writeContact(reading, contact))
}

/** Writes the contact of a conversation, whom a list may leave out: archived ones, or those who did not change. */
export async function needContact(reading: Reading, id: string): Promise<boolean> {
  if (reading.has('people', id)) return true
  if (reading.isLeftOut('people', id)) return false
  try {
    await writeContact(reading, await reading.client.ask(`contacts/${encodeURIComponent(id)}`))
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    reading.leaveOutOnce('people', id, 'Deleted at the source')
  }
  return reading.has('people', id)
}

async function writeContact(reading: Reading, contact: Row): Promise<void> {
  const id = idOf(contact['id'])
  if (id === undefined || reading.has('people', id)) return
  const address = textOf(contact['email'], 320)
  const number = textOf(contact['phone'], 100)
  const companyIds = rowsOf(rowOf(contact['companies'])['data']).flatMap(
    (company) => idOf(company['id']) ?? [],
  )
  const [place, social] = [rowOf(contact['location']), rowOf(contact['social_profiles'])]
  await reading.write('people', {
    id,
    name: textOf(contact['name']) ?? null,
    emails: isAddress(address) ? [{ address, isPrimary: true }] : [],
    phones: number === undefined ? [] : [{ number, isPrimary: true }],
    organisationId: companyIds[0] ?? null,
    tags: await tagsOf(reading, id, contact),
    createdAt: timeOf(contact['created_at']) ?? null,
    updatedAt: timeOf(contact['updated_at']) ?? null,
    ...reading.fields([
      ...Object.entries(rowOf(contact['custom_attributes'])),
      ['External id', contact['external_id']],
      ['Role', contact['role']],
      ['Language', contact['language_override']],
      ['Country', place['country']],
      ['City', place['city']],
      ['Further companies', companyIds.slice(1)],
      ...rowsOf(social['data']).map(({ name, url }) => [textOf(name) ?? 'Profile', url] as const),
    ]),
  })
  if (isAddress(address)) await writeSuppression(reading, address, contact)
  await writeNotes(reading, id, contact)
}

/** Reasons for which Intercom sends a contact no mail. */
const reasons = {
  has_hard_bounced: 'Hard bounce at Intercom',
  marked_email_as_spam: 'Marked as spam at Intercom',
  unsubscribed_from_emails: 'Unsubscribed at Intercom',
} as const

async function writeSuppression(reading: Reading, address: string, contact: Row): Promise<void> {
  const [, reason] = Object.entries(reasons).find(([field]) => contact[field] === true) ?? []
  if (reason !== undefined) await reading.write('suppressions', { address, reason })
}

/** A contact shows its first ten tags, and has a list of all. */
async function tagsOf(reading: Reading, id: string, contact: Row): Promise<string[]> {
  const given = rowOf(contact['tags'])
  const rows = given['has_more'] === true ? await listOfContact(reading, id, 'tags') : rowsOf(given['data'])
  const names = reading.fact<FieldNames>('tags') ?? {}
  return rows
    .flatMap((tag) => textOf(tag['name'], 200) ?? nameOf(names, idOf(tag['id']) ?? ''))
    .filter((name) => name !== '')
    .slice(0, 1_000)
}

async function listOfContact({ client }: Reading, id: string, list: string): Promise<Row[]> {
  try {
    const { data } = await client.ask(`contacts/${encodeURIComponent(id)}/${list}`, { lists: ['data'] })
    return rowsOf(data)
  } catch (error) {
    // The contact was deleted meanwhile.
    if (error instanceof RefusedError) return []
    throw error
  }
}

async function writeNotes(reading: Reading, personId: string, contact: Row): Promise<void> {
  if (rowOf(contact['notes'])['total_count'] === 0) return
  for (const note of await listOfContact(reading, personId, 'notes')) {
    const id = idOf(note['id'])
    const { content } = contentOf(note['body'])
    if (id === undefined || content === '') continue
    const author = rowOf(note['author'])
    const authorId = idOf(author['id'])
    await reading.write('notes', {
      id: `contact-${id}`,
      personId,
      author: {
        type: 'agent',
        id: authorId !== undefined && reading.has('agents', authorId) ? authorId : null,
        name: textOf(author['name']) ?? null,
      },
      content,
      contentType: 'html',
      createdAt: timeOf(note['created_at']) ?? reading.begunAt,
    })
  }
}
