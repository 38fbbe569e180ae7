import { expect, it } from 'vitest'
import { mailMs } from '../../../../../examples/hubspot-emulator/src/objects.ts'
import type { ThreadMessage } from '../../../../../examples/hubspot-emulator/src/threads.ts'
import { openHubspot } from '../../../test/support/hubspot-account.ts'
import type { SourceConnection, SourcePosition, SourceRecord } from '../../ports/connector.ts'
import { isSameMail } from './hubspot-logged-mails.ts'

const signal = new AbortController().signal
const counts = { contacts: 3, tickets: 3, emails: 3 }

interface Reading {
  from?: SourcePosition | null
  since?: string | null
  /** Pages to read at most. */
  pages?: number
}

async function read(
  connection: SourceConnection,
  { from = null, since = null, pages = 1_000 }: Reading = {},
) {
  const records: SourceRecord[] = []
  let next = from
  let count = 0
  for await (const page of connection.pages('Emails', { window: { since, before: null }, from, signal })) {
    records.push(...page.records)
    next = JSON.parse(JSON.stringify(page.next))
    count += 1
    if (count >= pages) break
  }
  return { records, next }
}

const message = (index: number, text: string): ThreadMessage => ({
  id: `m${index}`,
  type: 'MESSAGE',
  text,
  isInbound: index % 2 === 0,
  atMs: mailMs(20) + index * 60_000,
})

it('the e-mails of a HubSpot ticket are its messages, with their authors, directions and times', async () => {
  const { connection } = await openHubspot({ counts })
  const { records } = await read(connection)
  expect(records.map(({ id }) => id)).toEqual(['501', '502', '503'])
  expect(records[0]).toMatchObject({
    parent: { module: 'Cases', id: '501' },
    createdAt: '2026-01-10T08:00:00.000Z',
    author: { email: 'contact0@example.com', name: 'Ada Foller 0', role: 'customer' },
    fields: { content: 'Mail 0: it is stuck again', isReply: true, title: null },
  })
  expect(records[1]).toMatchObject({
    author: { email: 'mia@example.com', name: 'Mia Agent', role: 'agent' },
    fields: { content: '<p>Mail 1: <b>it is stuck again</b></p>', isHtml: true },
  })
})

it('an e-mail that HubSpot has not sent yet is none', async () => {
  const { connection, emulator } = await openHubspot({ counts })
  emulator.api.objects('emails').update('502', { hs_email_status: 'SCHEDULED' })
  expect((await read(connection)).records.map(({ id }) => id)).toEqual(['501', '503'])
})

it('the messages of a HubSpot thread follow the e-mails, whole, and none of them twice', async () => {
  const { connection } = await openHubspot({ counts, threads: 3 })
  const { records } = await read(connection)
  const ofFirst = records.filter(({ parent }) => parent?.id === '501')
  expect(ofFirst.map(({ id, fields }) => [id, fields.content, fields.isReply])).toEqual([
    ['501', 'Mail 0: it is stuck again', true],
    ['9001-b0', 'Reply 0 in the chat, with a long explanation', true],
    ['9001-c0', 'Comment 0', false],
  ])
  expect(ofFirst[1]).toMatchObject({
    parent: { module: 'Cases', id: '501' },
    author: { name: 'Mia Agent', role: 'agent' },
    createdAt: '2026-01-10T09:00:00.000Z',
    warnings: [],
  })
  expect(records).toHaveLength(9)
})

it('a message of a HubSpot thread that no e-mail holds is there, also with the same words', async () => {
  const { connection, emulator } = await openHubspot({ counts: { contacts: 1, tickets: 1, emails: 1 } })
  const text = 'Mail 0: it is stuck again'
  const of = { ticketId: '501', contactId: '501' }
  emulator.api.threads.create([message(2, text), message(3, 'Thanks')], of)
  const { records } = await read(connection)
  expect(records.map(({ fields }) => fields.content)).toEqual([text, text, 'Thanks'])
  expect(records[1]?.author).toMatchObject({ id: '501', role: 'customer' })
})

it('a thread of HubSpot without a ticket belongs to its contact', async () => {
  const { connection, emulator } = await openHubspot({ counts: { contacts: 1 } })
  emulator.api.threads.create([message(0, 'Hello')], { ticketId: null, contactId: '501' })
  const { records } = await read(connection)
  expect(records).toMatchObject([{ parent: { module: 'Contacts', id: '501' } }])
})

it('a text that HubSpot shows in part is imported with a warning where its whole is refused', async () => {
  const { connection, emulator } = await openHubspot({ counts, threads: 1 })
  emulator.api.refuse('/original-content')
  const { records } = await read(connection)
  const cut = records.find(({ id }) => id === '9001-b0')
  expect(cut).toMatchObject({
    fields: { content: 'Reply 0 in the chat, with a long explanation'.slice(0, 40) },
    warnings: [{ code: 'SOURCE_TRUNCATED' }],
  })
})

it('reading goes on behind any page of e-mails and threads without a loss', async () => {
  const { connection } = await openHubspot({
    counts: { contacts: 150, tickets: 150, emails: 150 },
    threads: 150,
  })
  const whole = await read(connection)
  expect(new Set(whole.records.map(({ id }) => id)).size).toBe(150 + 300)
  const ids = new Set<string>()
  let from: SourcePosition | null = null
  let pages = 0
  do {
    // One process for each page.
    const { records, next } = await read(connection, { from, pages: 1 })
    for (const { id } of records) ids.add(id)
    from = next
    pages += 1
  } while (from !== null)
  expect([ids.size, pages]).toEqual([450, 2 + 8])
})

it('a later reading has the new messages of an old HubSpot thread alone', async () => {
  const { connection, emulator } = await openHubspot({ counts, threads: 3 })
  const since = new Date(mailMs(10)).toISOString()
  emulator.api.threads.add('9002', message(2, 'A new question'))
  const { records } = await read(connection, { since })
  expect(records.map(({ id, fields }) => [id, fields.content])).toEqual([['9002-m2', 'A new question']])
})

it('failed messages of a HubSpot thread are found again by their ids, without those that are deleted', async () => {
  const { connection } = await openHubspot({ counts, threads: 2 })
  const found = await connection.byIds('Emails', ['502', '9001-b0', '9001-gone', '9999-b0'], signal)
  expect(found.map(({ id, parent }) => [id, parent?.id])).toEqual([
    ['502', '502'],
    ['9001-b0', '501'],
  ])
})

it.each(['/conversations/', '/threads'])(
  'a portal that refuses %s is forbidden behind its e-mails',
  async (text) => {
    const { connection, emulator } = await openHubspot({ counts, threads: 1 })
    emulator.api.refuse(text)
    const records: SourceRecord[] = []
    const reading = async () => {
      const window = { since: null, before: null }
      for await (const page of connection.pages('Emails', { window, from: null, signal }))
        records.push(...page.records)
    }
    await expect(reading()).rejects.toMatchObject({ name: 'SourceFailure', kind: 'forbidden' })
    expect(records).toHaveLength(3)
  },
)

it('a portal without conversations is forbidden there, and ends no run', async () => {
  const { connection, emulator } = await openHubspot({ counts })
  const action = { status: 404, body: { category: 'OBJECT_NOT_FOUND' } }
  emulator.faults.add({ match: '/conversations/', from: 1, to: 9, action })
  await expect(read(connection)).rejects.toMatchObject({ kind: 'forbidden' })
})

it('two texts are one mail by direction, time and their first words', () => {
  const mail = { text: '<p>It is&nbsp;stuck</p>', isInbound: true, atMs: 0 }
  expect(isSameMail(mail, { text: 'It is stuck\n> earlier', isInbound: true, atMs: 60_000 })).toBe(true)
  expect(isSameMail(mail, { text: 'It is stuck', isInbound: false, atMs: 0 })).toBe(false)
  expect(isSameMail(mail, { text: 'It is stuck', isInbound: true, atMs: 3_600_000 })).toBe(false)
  expect(isSameMail(mail, { text: 'It works', isInbound: true, atMs: 0 })).toBe(false)
  expect(isSameMail(mail, { text: '', isInbound: true, atMs: 0 })).toBe(false)
  expect(isSameMail(mail, { text: 'It is stuck', isInbound: true, atMs: Number.NaN })).toBe(false)
})
