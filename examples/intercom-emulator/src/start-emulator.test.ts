import { expect, onTestFinished, test } from 'vitest'
import type { Fields } from '../../zendesk-emulator/src/records.ts'
import { documentedFields } from './account.ts'
import { startEmulator } from './start-emulator.ts'

async function open(options: { conversations: number; parts?: number; pageMax?: number }) {
  const emulator = await startEmulator(options)
  onTestFinished(() => emulator.close())
  const headers = { Authorization: `Bearer ${emulator.token}` }
  const get = async (path: string) =>
    JSON.parse(await (await fetch(`${emulator.url}/${path}`, { headers })).text())
  return { emulator, get }
}

const answered: Readonly<Record<string, readonly [path: string, find: (body: Fields) => unknown]>> = {
  admin: ['admins', ({ admins }) => first(admins)],
  tag: ['tags', ({ data }) => first(data)],
  macro: ['macros', ({ data }) => first(data)],
  company: ['companies/list?page=1', ({ data }) => first(data)],
  contact: ['contacts', ({ data }) => first(data)],
  note: ['contacts/1/notes', ({ data }) => first(data)],
  conversation: ['conversations/2', (body) => body],
  source: ['conversations/2', ({ source }) => source],
  part: ['conversations/2', (body) => partOf(body)],
  attachment: ['conversations/2', (body) => first(partOf(body)?.['attachments'])],
  mail: ['conversations/2', (body) => partOf(body)?.['email_message_metadata']],
  rating: ['conversations/5', ({ conversation_rating: rating }) => rating],
}

function partOf({ conversation_parts: parts }: Fields): Fields | undefined {
  return first((parts as Fields)['conversation_parts'])
}

function first(list: unknown): Fields | undefined {
  return (list as Fields[])[0]
}

test.each(Object.keys(answered))(
  'the Intercom emulator returns the documented fields of a %s, and no other',
  async (object) => {
    const { get } = await open({ conversations: 6 })
    const [path, find] = answered[object] ?? ['', () => undefined]
    const found = Object.keys(find(await get(path)) as Fields)
    expect(found.sort()).toEqual([...documentedFields(object)].sort())
  },
)

test('the Intercom emulator lists conversations by cursors, and shows the newest 500 parts of one', async () => {
  const { get } = await open({ conversations: 3, parts: 510, pageMax: 2 })
  const page = await get('conversations?per_page=150')
  expect([page.conversations.length, page.conversations[0].conversation_parts]).toEqual([2, null])
  const rest = await get(`conversations?starting_after=${page.pages.next.starting_after}`)
  expect([rest.conversations.length, rest.pages.next]).toEqual([1, null])
  const { conversation_parts: parts } = await get('conversations/1')
  expect([parts.conversation_parts.length, parts.total_count]).toEqual([500, 510])
})
