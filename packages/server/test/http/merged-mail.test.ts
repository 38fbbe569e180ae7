import { beforeEach, expect, test } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

// Two mails of one customer about one matter, whose conversations are merged.

const running = useService()
let inbox: MailInbox
let target: string
let source: string
const path = '/api/v1/conversations'

beforeEach(async () => {
  inbox = await makeMailInbox(running)
  target = (await inbox.receive({ id: 'first@example.com', text: 'first' }))['conversationId'] ?? ''
  source = (await inbox.receive({ id: 'second@example.com', text: 'second' }))['conversationId'] ?? ''
  expect(source).not.toBe(target)
})

const merge = () => inbox.ask('POST', `${path}/${target}/merge`, { sourceId: source })
const textsOf = async (id: string) => {
  const { body } = await inbox.ask('GET', `${path}/${id}/messages?order=asc`)
  return body.data.map(({ content }: { content: string }) => content)
}

test('a mail that replies to the source joins the target, and after the unmerge the source again', async () => {
  const { body: reply } = await inbox.reply(source, { content: 'We are on it.' })
  expect((await merge()).status).toBe(200)
  const answer = (id: string, text: string) => inbox.receive({ text, headers: [`In-Reply-To: <${id}>`] })
  const joined = [
    await answer('second@example.com', 'third'),
    await answer(reply.data.email.messageId, 'fourth'),
  ]
  expect(joined.map(({ conversationId }) => conversationId)).toEqual([target, target])
  expect(await textsOf(target)).toEqual(['first', 'second', 'We are on it.', 'third', 'fourth'])
  expect((await inbox.conversationOf(target)).messageCount).toBe(5)
  expect((await inbox.ask('POST', `${path}/${source}/unmerge`)).status).toBe(200)
  const later = await answer(reply.data.email.messageId, 'fifth')
  expect(later['conversationId']).toBe(source)
  expect(await textsOf(target)).toEqual(['first', 'third', 'fourth'])
  expect(await textsOf(source)).toEqual(['second', 'We are on it.', 'fifth'])
})

test('a mail for which a person chooses the source becomes a message of the target', async () => {
  const parked = await inbox.receive({ from: 'undisclosed', text: 'Who am I?' })
  expect(parked['status']).toBe('parked')
  await merge()
  const at = `/api/v1/inbound-mails/${parked['_id']}/make-conversation`
  const made = await inbox.ask('POST', at, {
    conversationId: source,
    sender: { address: 'ada@example.com', name: 'Ada' },
  })
  expect([made.status, made.body.data?._id]).toEqual([201, target])
  await expect.poll(() => textsOf(target)).toContain('Who am I?')
})

test('a message at the moment of the merge is in the target, or is refused with its id; none is lost', async () => {
  const written = Array.from({ length: 6 }, (_, index) =>
    inbox.ask('POST', `${path}/${source}/messages`, { content: `note ${index}`, type: 'note' }),
  )
  const [merged, ...notes] = await Promise.all([merge(), ...written])
  expect(merged.status).toBe(200)
  const stored = notes.filter(({ status }) => status === 201).map(({ body }) => body.data.content)
  for (const { status, body } of notes) {
    if (status === 201) continue
    expect([status, body.code, body.details.mergedInto]).toEqual([409, 'INVALID_STATE', target])
  }
  expect((await textsOf(target)).toSorted()).toEqual(['first', 'second', ...stored].toSorted())
  const { seq } = await inbox.conversationOf(target)
  expect(seq).toBe(2 + stored.length)
})

test('a conversation with a draft that waits to be sent is not merged', async () => {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const draft = { content: 'Later', sendAt }
  expect((await inbox.ask('PUT', `${path}/${source}/draft`, draft)).status).toBe(200)
  const refused = await merge()
  expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE'])
})

test('a mention in the source is read by who reads the target to its end', async () => {
  const { body } = await inbox.ask('POST', '/api/tenant/api-keys', {
    name: 'K',
    permissions: ['read:conversations', 'write:conversations'],
  })
  const { user } = inbox.owner
  await fetch(`${running.url}${path}/${source}/messages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${body.data.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: `Look @[${user._id}]`, type: 'note' }),
  })
  const unread = async () =>
    (await inbox.ask('GET', '/api/v1/users/me/mentions?unread=true')).body.data.length
  expect(await unread()).toBe(1)
  await merge()
  await inbox.ask('POST', `${path}/${target}/read`, { seq: 1 })
  expect(await unread()).toBe(1)
  await inbox.ask('POST', `${path}/${target}/read`, {})
  expect(await unread()).toBe(0)
})

test('the erasure of the customer leaves no word of both, and the export has the words of both before', async () => {
  await merge()
  const { customerId } = await inbox.conversationOf(target)
  const file = await inbox.ask('GET', `/api/v1/customers/${customerId._id}/export?format=json`)
  const text = JSON.stringify(file.body)
  for (const word of ['first', 'second']) expect(text).toContain(word)
  expect((await inbox.ask('DELETE', `/api/v1/customers/${customerId._id}`)).status).toBe(200)
  for (const id of [target, source]) {
    expect((await inbox.ask('GET', `${path}/${id}`)).status).toBe(404)
    const left = await inbox.store.messages.listRows({
      conversationId: id,
      sort: 'createdAt',
      page: 1,
      limit: 10,
    })
    expect(left.rows).toEqual([])
  }
})
