import { type FieldNames, namedFields } from '../field-names.ts'
import type { Reading } from '../reading.ts'
import { RefusedError } from '../source-error.ts'
import {
  contentOf,
  idOf,
  isAddress,
  isRow,
  type Row,
  rowOf,
  rowsOf,
  textOf,
  textsOf,
  timeOf,
} from '../values.ts'
import { readPasses } from './chatwoot-passes.ts'

/** The list has no contact without an address, a number or an identifier; conversations name those who have one. */
export async function readContacts(reading: Reading): Promise<void> {
  await readPasses(reading, {
    path: 'contacts',
    query: { sort: 'name' },
    rowsOf: ({ payload }) => payload,
    write: (contact) => writeContact(reading, contact),
  })
  reading.leaveOut('people', 'Chatwoot lists no contact without an address, a number or an identifier', null)
}

/** Writes a contact with its labels and notes; returns whether it was new. */
export async function writeContact(reading: Reading, contact: Row): Promise<boolean> {
  const id = idOf(contact['id'])
  if (id === undefined || reading.has('people', id)) return false
  const labels = await listOfContact(reading, { id, list: 'labels' })
  const notes = await listOfContact(reading, { id, list: 'notes' })
  await writePerson(reading, contact, { id, labels, notes })
  return true
}

interface OfPerson {
  readonly id: string
  readonly labels: readonly unknown[]
  readonly notes: readonly unknown[]
}

export async function writePerson(
  reading: Reading,
  contact: Row,
  { id, labels, notes }: OfPerson,
): Promise<void> {
  const address = textOf(contact['email'], 320)
  const number = textOf(contact['phone_number'], 100)
  const more = rowOf(contact['additional_attributes'])
  const names = reading.fact<FieldNames>('contactFields') ?? {}
  await reading.write('people', {
    id,
    name: textOf(contact['name']) ?? null,
    emails: isAddress(address) ? [{ address, isPrimary: true }] : [],
    phones: number === undefined ? [] : [{ number, isPrimary: true }],
    company: textOf(more['company_name']) ?? null,
    tags: textsOf(labels, 200).slice(0, 1_000),
    isBlocked: contact['blocked'] === true,
    createdAt: timeOf(contact['created_at']) ?? null,
    ...reading.fields([
      ...namedFields(contact['custom_attributes'], names),
      ...Object.entries(more).filter(([key]) => key !== 'company_name'),
      ['Identifier', contact['identifier']],
    ]),
  })
  for (const note of rowsOf(notes)) await writeNote(reading, id, note)
}

async function listOfContact(
  { client }: Reading,
  { id, list }: { id: string; list: string },
): Promise<unknown[]> {
  try {
    const answer = await client.askAny(`contacts/${id}/${list}`)
    const found = isRow(answer) ? answer['payload'] : answer
    return Array.isArray(found) ? found : []
  } catch (error) {
    // The contact was deleted meanwhile.
    if (error instanceof RefusedError) return []
    throw error
  }
}

async function writeNote(reading: Reading, personId: string, note: Row): Promise<void> {
  const id = idOf(note['id'])
  const { content, isCut } = contentOf(note['content'])
  if (id === undefined || content === '') return
  if (isCut) reading.leaveOut('content', 'A note is longer than 900 kB')
  const user = rowOf(note['user'])
  const userId = idOf(user['id'])
  const isKnown = userId !== undefined && reading.has('agents', userId)
  await reading.write('notes', {
    // Notes about contacts have numbers of their own.
    id: `contact-${id}`,
    personId,
    author: { type: 'agent', id: isKnown ? userId : null, name: textOf(user['name']) ?? null },
    content,
    contentType: 'markdown',
    createdAt: timeOf(note['created_at']) ?? reading.begunAt,
  })
}
