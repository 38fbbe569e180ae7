import { expect, onTestFinished, test } from 'vitest'
import type { Fields } from '../../zendesk-emulator/src/records.ts'
import { documentedFields } from './account.ts'
import { startEmulator } from './start-emulator.ts'

async function open(conversations: number) {
  const emulator = await startEmulator({ conversations, messages: 30 })
  onTestFinished(() => emulator.close())
  const headers = { api_access_token: emulator.token }
  const get = async (path: string) =>
    JSON.parse(await (await fetch(`${emulator.url}/api/v1/accounts/7/${path}`, { headers })).text())
  return { emulator, get }
}

const answered: Readonly<Record<string, readonly [path: string, find: (body: Fields) => unknown]>> = {
  agent: ['agents', (body) => first(body)],
  inbox: ['inboxes', ({ payload }) => first(payload)],
  label: ['labels', ({ payload }) => first(payload)],
  reply: ['canned_responses', (body) => first(body)],
  definition: ['custom_attribute_definitions?attribute_model=1', (body) => first(body)],
  contact: ['contacts', ({ payload }) => first(payload)],
  note: ['contacts/1/notes', (body) => first(body)],
  conversation: ['conversations?status=all', ({ data }) => first((data as Fields)['payload'])],
  message: ['conversations/4/messages?before=4010', ({ payload }) => first(payload)],
  attachment: [
    'conversations/4/messages?before=4010',
    ({ payload }) => first(first(payload)?.['attachments']),
  ],
  rating: ['csat_survey_responses', (body) => first(body)],
}

function first(list: unknown): Fields | undefined {
  return (list as Fields[])[0]
}

test.each(Object.keys(answered))(
  'the Chatwoot emulator gives a %s only fields of the documents',
  async (object) => {
    const { get } = await open(10)
    const [path, find] = answered[object] ?? ['', () => undefined]
    const found = Object.keys(find(await get(path)) as Fields)
    expect(found.length).toBeGreaterThan(2)
    expect(found.filter((field) => !documentedFields(object).includes(field))).toEqual([])
  },
)

test('the Chatwoot emulator lists open conversations unless all are asked for, the newest activity first', async () => {
  const { emulator, get } = await open(30)
  const idsOf = ({ data }: { data: { payload: { id: number }[] } }) => data.payload.map(({ id }) => id)
  expect(idsOf(await get('conversations')).every((id) => id % 4 === 0)).toBe(true)
  expect(idsOf(await get('conversations?status=all')).slice(0, 2)).toEqual([30, 29])
  emulator.account.write(3, 'Hello again')
  expect(idsOf(await get('conversations?status=all')).slice(0, 2)).toEqual([3, 30])
})

test('the Chatwoot emulator shows the last twenty messages, and those before one', async () => {
  const { get } = await open(2)
  const { payload } = await get('conversations/1/messages')
  expect([payload.length, payload[0].id]).toEqual([20, 1010])
  expect((await get('conversations/1/messages?before=1010')).payload.length).toBe(10)
})
