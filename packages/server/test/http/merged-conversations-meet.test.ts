// Runs on both databases by day: what comes to a conversation at the moment of its merge and after it.

import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call } from '../support/call.ts'
import { type LiveStream, openLiveStream } from '../support/live-stream.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService({
  CRM_SECRETS_KEY: 'the key of these tests which is long enough',
  CRM_RATE_LIMITS: 'off',
})
const path = '/api/v1/conversations'

interface Row {
  _id: string
  conversationId: string
  content: string
}

const contentsOf = async (inbox: MailInbox, id: string) =>
  (await inbox.messagesOf(id)).map(({ content }: Row) => content).sort()
const merge = ({ ask }: MailInbox, target: string, sourceId: string) =>
  ask('POST', `${path}/${target}/merge`, { sourceId })
const say = ({ ask }: MailInbox, id: string, content: string) =>
  ask('POST', `${path}/${id}/messages`, { content, direction: 'inbound' })

/** Two mails about two matters, by one customer. */
async function twoByMail() {
  const inbox = await makeMailInbox(service)
  const [first, second] = [
    await inbox.receive({ text: 'one', id: 'one@example.com' }),
    await inbox.receive({ text: 'two', id: 'two@example.com', headers: ['Subject: Another'] }),
  ]
  const [target, source] = [first, second].map(({ conversationId = '' }) => conversationId)
  return { inbox, target: target ?? '', source: source ?? '' }
}

const eventsOf = async ({ ask }: MailInbox) =>
  (await ask('GET', '/api/v1/events?after=earliest&limit=100')).body.data as {
    event: string
    data: { _id: string; conversationId?: string }
  }[]

test('a mail that replies to a message of the source goes to the target, and its event names the target', async () => {
  const { inbox, target, source } = await twoByMail()
  expect(source).not.toBe(target)
  expect((await merge(inbox, target, source)).status).toBe(200)
  const mail = await inbox.receive({ text: 'three', headers: ['In-Reply-To: <two@example.com>'] })
  expect(mail).toMatchObject({ status: 'processed', conversationId: target })
  expect(await contentsOf(inbox, target)).toEqual(['one', 'three', 'two'])
  expect(await contentsOf(inbox, source)).toEqual(['two'])
  const received = (await eventsOf(inbox)).filter(({ event }) => event === 'message.received')
  expect(received.at(-1)?.data.conversationId).toBe(target)
  expect(received).toHaveLength(3)
  expect((await inbox.ask('POST', `${path}/${source}/unmerge`)).status).toBe(200)
  const later = await inbox.receive({ text: 'four', headers: ['In-Reply-To: <two@example.com>'] })
  expect(later['conversationId']).toBe(source)
  expect(await contentsOf(inbox, target)).toEqual(['one', 'three'])
})

test('a parked mail that a person gives to the source goes to the target, before the merge and after it', async () => {
  const { inbox, target, source } = await twoByMail()
  const parked = async (text: string) => (await inbox.deliver(`From: nobody\r\n\r\n${text}`))['_id'] ?? ''
  const give = (id: string) =>
    inbox.ask('POST', `/api/v1/inbound-mails/${id}/make-conversation`, {
      conversationId: source,
      sender: { address: 'ada@example.com' },
    })
  const [early, late] = [await parked('early'), await parked('late')]
  expect((await give(early)).status).toBe(201)
  await expect.poll(async () => (await merge(inbox, target, source)).status).toBe(200)
  const given = await give(late)
  expect([given.status, given.body.data._id]).toEqual([201, target])
  await expect.poll(() => contentsOf(inbox, target)).toEqual(['early', 'late', 'one', 'two'])
  expect(await contentsOf(inbox, source)).not.toContain('late')
  expect((await inbox.conversationOf(target)).messageCount).toBe(4)
})

test('a draft of the source that was planned at the moment of the merge is not sent and says why', async () => {
  const { inbox, target, source } = await twoByMail()
  const saved = await inbox.ask('PUT', `${path}/${source}/draft`, { content: 'Soon' })
  const { _id } = saved.body.data
  expect((await merge(inbox, target, source)).status).toBe(200)
  const now = new Date().toISOString()
  const { version: expectVersion = 0 } = (await inbox.store.drafts.find(_id)) ?? {}
  const set = { sendAt: now, dueAt: now }
  await inbox.store.commit({
    writes: [{ op: 'update', kind: 'drafts', id: _id, expectVersion, set }],
    events: [],
  })
  await expect.poll(async () => (await inbox.store.drafts.find(_id))?.sendError).toBe('INVALID_STATE')
  expect(await contentsOf(inbox, target)).toEqual(['one', 'two'])
})

test('a conversation with a draft that waits to be sent is not merged', async () => {
  const { inbox, target, source } = await twoByMail()
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  await inbox.ask('PUT', `${path}/${source}/draft`, { content: 'Later', sendAt })
  const refused = await merge(inbox, target, source)
  expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE'])
})

test('a draft that is planned and a merge at the same moment never send into the source', async () => {
  const { inbox, target, source } = await twoByMail()
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  const [merged, saved] = await Promise.all([
    merge(inbox, target, source),
    inbox.ask('PUT', `${path}/${source}/draft`, { content: 'Later', sendAt }),
  ])
  expect([200, 409]).toContain(merged.status)
  expect([200, 409]).toContain(saved.status)
  expect(merged.status === 200 || saved.status === 200).toBe(true)
  expect(await contentsOf(inbox, source)).toEqual(['two'])
})

test('messages that come at the moment of the merge are in one of the two, and none is lost or counted twice', async () => {
  const { inbox, target, source } = await twoByMail()
  const texts = ['a', 'b', 'c', 'd', 'e', 'f']
  const [merged, ...said] = await Promise.all([
    merge(inbox, target, source),
    ...texts.map((text, index) => say(inbox, index % 2 === 0 ? source : target, text)),
  ])
  for (const { status, body } of said) expect([201, 409], JSON.stringify(body)).toContain(status)
  const kept = texts.filter((_text, index) => said[index]?.status === 201)
  if (merged?.status !== 200) expect((await merge(inbox, target, source)).status).toBe(200)
  expect(await contentsOf(inbox, target)).toEqual([...kept, 'one', 'two'].sort())
  expect(await inbox.conversationOf(target)).toMatchObject({
    messageCount: kept.length + 2,
    seq: kept.length + 2,
  })
})

test('two merges of one source at the same moment leave it in one target', async () => {
  const { inbox, target, source } = await twoByMail()
  const third = (await inbox.receive({ text: 'three', headers: ['Subject: Third'] }))['conversationId'] ?? ''
  const replies = await Promise.all([merge(inbox, target, source), merge(inbox, third, source)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  const rows = [await inbox.conversationOf(target), await inbox.conversationOf(third)]
  expect(rows.flatMap(({ mergedFrom }) => mergedFrom)).toEqual([source])
})

test('the customer’s export and that of the user have the source with its messages', async () => {
  const { inbox, target, source } = await twoByMail()
  const { owner, ask } = inbox
  await ask('PUT', `${path}/${source}`, { assignedTo: owner.user._id })
  await ask('POST', `${path}/${source}/messages`, { content: 'a note of the source', type: 'note' })
  await merge(inbox, target, source)
  const { customerId } = await inbox.conversationOf(target)
  const { body } = await ask('GET', `/api/v1/customers/${customerId._id}/export`)
  const ofCustomer = JSON.parse(body)
  const ids = (rows: Row[]) => rows.map(({ _id }) => _id)
  expect(ids(ofCustomer.conversations).sort()).toEqual([target, source].sort())
  expect(ofCustomer.messages.map(({ content }: Row) => content).sort()).toEqual([
    'a note of the source',
    'one',
    'two',
  ])
  const ofUser = JSON.parse((await ask('GET', '/api/data-privacy/export')).body)
  expect(JSON.stringify(ofUser)).toContain('a note of the source')
  expect(JSON.stringify(ofUser)).toContain(source)
})

test('an erasure of the customer leaves no word of either', async () => {
  const { inbox, target, source } = await twoByMail()
  await say(inbox, source, 'SECRETWORD')
  await merge(inbox, target, source)
  const { customerId } = await inbox.conversationOf(target)
  expect((await inbox.ask('DELETE', `/api/v1/customers/${customerId._id}`)).status).toBe(200)
  for (const id of [target, source]) expect((await inbox.ask('GET', `${path}/${id}`)).status).toBe(404)
  await expect.poll(async () => JSON.stringify(await eventsOf(inbox))).not.toContain('SECRETWORD')
  const found = await inbox.ask('GET', '/api/v1/search?q=SECRETWORD')
  expect(JSON.stringify(found.body.data)).not.toContain(source)
})

test('a source that is deleted after its unmerge leaves no label in the target, its timeline and its events', async () => {
  const { inbox, target, source } = await twoByMail()
  const label = (labels: string[], id: string) => inbox.ask('POST', `${path}/${id}/labels`, { labels })
  await label(['SECRETLABEL'], source)
  await merge(inbox, target, source)
  expect((await inbox.conversationOf(target)).labels).toContain('SECRETLABEL')
  await label(['seen'], target)
  await inbox.ask('POST', `${path}/${source}/unmerge`)
  await label(['later'], target)
  expect((await inbox.ask('DELETE', `${path}/${source}`)).status).toBe(200)
  const { body } = await inbox.ask('GET', `${path}/${target}/timeline?limit=100`)
  expect(JSON.stringify(body)).toContain('seen')
  expect(JSON.stringify([body, await inbox.conversationOf(target)])).not.toContain('SECRETLABEL')
  await expect.poll(async () => JSON.stringify(await eventsOf(inbox))).not.toContain('SECRETLABEL')
})

test.each(['before', 'after'])(
  'words in the source of a guest who became a customer %s them count in neither when the guest is erased',
  async (moment) => {
    const { inbox, target, source } = await twoByMail()
    const addGuest = async (): Promise<string> => {
      const { body } = await inbox.ask('POST', '/api/v1/customers', {
        firstName: 'Moe',
        email: 'moe@people.example',
      })
      return body.data._id
    }
    const early = moment === 'before' ? await addGuest() : undefined
    const { email } = (await inbox.reply(source, { cc: ['moe@people.example'] })).body.data
    const words = await inbox.receive({ from: 'Moe <moe@people.example>', to: email.replyTo, text: 'of Moe' })
    expect(words['conversationId']).toBe(source)
    await merge(inbox, target, source)
    const countOf = async (id: string) => (await inbox.conversationOf(id)).messageCount
    expect(await countOf(target)).toBe(4)
    await inbox.ask('DELETE', `/api/v1/customers/${early ?? (await addGuest())}`)
    await expect.poll(() => contentsOf(inbox, source)).not.toContain('of Moe')
    expect(await countOf(target)).toBe(3)
    await inbox.ask('POST', `${path}/${source}/unmerge`)
    expect([await countOf(target), await countOf(source)]).toEqual([1, 2])
  },
)

test('the events of a merge come in the order of its parts: the source closes before the target has it', async () => {
  const { inbox, target, source } = await twoByMail()
  await merge(inbox, target, source)
  await inbox.ask('POST', `${path}/${source}/unmerge`)
  const order = (await eventsOf(inbox))
    .filter(({ event }) => event.startsWith('conversation.') && event !== 'conversation.created')
    .map(({ event, data }) => `${event} ${data._id === target ? 'target' : 'source'}`)
  const at = (text: string) => order.indexOf(text)
  expect(at('conversation.closed source')).toBeGreaterThan(-1)
  expect(at('conversation.merged target')).toBeGreaterThan(at('conversation.closed source'))
  expect(at('conversation.unmerged target')).toBeGreaterThan(at('conversation.merged target'))
})

/** Compares the counts of a stream with those of the query. */
async function isInStep(inbox: MailInbox, stream: LiveStream): Promise<void> {
  const counts = async () => (await inbox.ask('GET', `${path}/counts`)).body.data.views
  await expect.poll(async () => isDeepStrictEqual(stream.counts(), await counts())).toBe(true)
}

test('the counts of a stream follow a merge and its end, of an open source and of a closed one', async () => {
  const { inbox, target, source } = await twoByMail()
  const stream = await openLiveStream(service.url, { token: inbox.owner.token })
  await stream.waitForType('counts.changed', 1)
  for (const status of ['open', 'closed']) {
    await inbox.ask('PUT', `${path}/${source}`, { status })
    await isInStep(inbox, stream)
    expect((await merge(inbox, target, source)).status).toBe(200)
    await isInStep(inbox, stream)
    expect((await inbox.ask('POST', `${path}/${source}/unmerge`)).status).toBe(200)
    await isInStep(inbox, stream)
  }
  stream.close()
})

test('a colleague who has read both has nothing unread in the target, and one who has read one of them has the other’s', async () => {
  const { inbox, target, source } = await twoByMail()
  const tenantId = inbox.owner.tenant._id
  const [both, one, none] = [
    await addColleague(service, { tenantId, role: 'agent' }),
    await addColleague(service, { tenantId, role: 'agent' }),
    await addColleague(service, { tenantId, role: 'agent' }),
  ]
  const send = (token: string, method: string, at: string, body?: unknown) =>
    call(service.url, { method, path: at, token, body })
  await say(inbox, source, 'three')
  await say(inbox, source, 'four')
  await say(inbox, target, 'five')
  for (const id of [target, source]) await send(both.token, 'POST', `${path}/${id}/read`, {})
  await send(one.token, 'POST', `${path}/${target}/read`, {})
  const stream = await openLiveStream(service.url, { token: both.token })
  await stream.waitForType('counts.changed', 1)
  expect((await merge(inbox, target, source)).status).toBe(200)
  const unreadOf = async ({ token }: { token: string }) =>
    (await send(token, 'GET', `${path}/${target}`)).body.data.unread.count
  expect(await unreadOf(both)).toBe(0)
  expect(await unreadOf(one)).toBe(3)
  expect(await unreadOf(none)).toBe(5)
  await expect.poll(() => stream.counts()['open']?.unread).toBe(0)
  stream.close()
})
