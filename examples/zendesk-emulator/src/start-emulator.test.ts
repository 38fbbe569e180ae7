import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { documentedFields } from './document.ts'
import type { Fields } from './records.ts'
import { type EmulatorOptions, startEmulator } from './start-emulator.ts'

async function open(options: EmulatorOptions) {
  const emulator = await startEmulator(options)
  onTestFinished(() => emulator.close())
  const headers = { Authorization: `Bearer ${emulator.oauthToken}` }
  const get = async (path: string) => {
    const response = await fetch(`${emulator.url}/api/v2/${path}`, { headers })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  return { emulator, get }
}

/** Where the emulator returns an object of the documents. */
const answered: Readonly<Record<string, readonly [path: string, find: (body: Fields) => unknown]>> = {
  ticket: ['incremental/tickets/cursor?start_time=0&include=metric_sets', ({ tickets }) => first(tickets)],
  metricSet: [
    'incremental/tickets/cursor?start_time=0&include=metric_sets',
    ({ tickets }) => first(tickets)?.['metric_set'],
  ],
  via: ['incremental/tickets/cursor?start_time=0', ({ tickets }) => first(tickets)?.['via']],
  ticketExport: ['incremental/tickets/cursor?start_time=0&include=users', (body) => body],
  userExport: ['incremental/users/cursor?start_time=0&include=identities', (body) => body],
  user: ['incremental/users/cursor?start_time=0', ({ users }) => first(users)],
  identity: ['users/10000/identities', ({ identities }) => first(identities)],
  comment: ['tickets/15/comments', ({ comments }) => (comments as Fields[])[1]],
  voice: ['tickets/15/comments', ({ comments }) => (comments as Fields[])[1]?.['data']],
  attachment: ['tickets/4/comments', ({ comments }) => first(first(comments)?.['attachments'])],
  organization: ['organizations', ({ organizations }) => first(organizations)],
  rating: ['satisfaction_ratings?score=received', ({ satisfaction_ratings: ratings }) => first(ratings)],
  address: ['recipient_addresses', ({ recipient_addresses: addresses }) => first(addresses)],
  macro: ['macros', ({ macros }) => first(macros)],
  ticketField: ['ticket_fields', ({ ticket_fields: fields }) => first(fields)],
}

function first(list: unknown): Fields | undefined {
  return (list as Fields[])[0]
}

test.each(Object.keys(answered))(
  'the Zendesk emulator returns the documented fields of a %s, and no other',
  async (object) => {
    const { get } = await open({ tickets: 15 })
    const [path, find] = answered[object] ?? ['', () => undefined]
    const found = Object.keys(find((await get(path)).body) as Fields)
    expect(found.sort()).toEqual([...documentedFields(object)].sort())
  },
)

test('the fields of Zendesk name their source, its version and its date', () => {
  const extract = JSON.parse(readFileSync(new URL('../fields.json', import.meta.url), 'utf8'))
  expect(extract).toMatchObject({
    source: expect.stringContaining('developer.zendesk.com'),
    version: '2.0.0',
    fetchedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  })
  for (const { source } of extract.further) expect(source).toContain('https://')
})

test('the Zendesk emulator exports each record once, page by page, and changed ones again at the end', async () => {
  const { emulator, get } = await open({ tickets: 5, pageMax: 2 })
  const idsFrom = async (query: string): Promise<number[]> => {
    const { body } = await get(`incremental/tickets/cursor?${query}`)
    const found = body.tickets.map(({ id }: { id: number }) => id)
    return body.end_of_stream ? found : [...found, ...(await idsFrom(`cursor=${body.after_cursor}`))]
  }
  expect(await idsFrom('start_time=0')).toEqual([1, 2, 3, 4, 5])
  emulator.account.change(2, { status: 'solved' })
  expect(await idsFrom('start_time=0')).toEqual([1, 2, 3, 4, 5, 2])
  expect(await idsFrom(`start_time=${Math.floor(Date.now() / 1000) - 600}`)).toEqual([2])
})

test('the Zendesk emulator refuses an export of the last minute, and one without a token', async () => {
  const { emulator, get } = await open({ tickets: 1 })
  expect((await get(`incremental/tickets/cursor?start_time=${Math.floor(Date.now() / 1000)}`)).status).toBe(
    422,
  )
  expect((await fetch(`${emulator.url}/api/v2/users/me`)).status).toBe(401)
})

test('the Zendesk emulator limits exports, and says after how many seconds the next one is allowed', async () => {
  const { get } = await open({ tickets: 1, exports: { max: 1, windowMs: 60_000 } })
  expect((await get('incremental/tickets/cursor?start_time=0')).status).toBe(200)
  const refused = await get('incremental/users/cursor?start_time=0')
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
  expect((await get('users/me')).status).toBe(200)
})

test('the Zendesk emulator lists inline pictures only where they are asked for', async () => {
  const { get } = await open({ tickets: 6 })
  const countOf = async (query: string) => {
    const { body } = await get(`tickets/6/comments${query}`)
    return body.comments[0].attachments.length
  }
  expect([await countOf(''), await countOf('?include_inline_images=true')]).toEqual([0, 1])
})
