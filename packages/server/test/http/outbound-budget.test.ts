import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { comeDue } from '../support/come-due.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { setLimit as setLimitOf } from '../support/set-limit.ts'
import { mailTo } from '../support/system-mail.ts'
import { useService } from '../support/use-service.ts'

// The limits of requests are off: the budget holds without them.
const service = useService({ CRM_RATE_LIMITS: 'off' })

type MailInbox = Awaited<ReturnType<typeof makeMailInbox>>

async function openConversation({ ask, inboxId }: MailInbox): Promise<string> {
  const made = await ask('POST', '/api/v1/conversations', { subject: 'News', inboxId })
  return made.body.data._id
}

let strangers = 0
const strangersOf = (count: number) => Array.from({ length: count }, () => `s${++strangers}@example.com`)
const sendTo = (inbox: MailInbox, conversationId: string, count: number) =>
  inbox.reply(conversationId, { to: strangersOf(count), cc: [], subject: 'News' })

const setLimit = (inbox: MailInbox, name: string, value: number) => setLimitOf(service, inbox, [name, value])

test('a fresh tenant that sends to 5,000 strangers at once reaches 200 of them on the first day', async () => {
  const inbox = await makeMailInbox(service)
  const conversationIds = await Promise.all(Array.from({ length: 10 }, () => openConversation(inbox)))
  const clients = conversationIds.map(async (conversationId) => {
    const responses = []
    for (let each = 0; each < 10; each++) responses.push(await sendTo(inbox, conversationId, 50))
    return responses
  })
  const sent = (await Promise.all(clients)).flat()
  const accepted = sent.filter(({ status }) => status === 201)
  expect(accepted).toHaveLength(4)
  const refused = sent.filter(({ status }) => status === 429)
  const statuses = sent.map(({ status }) => status).filter((status) => status !== 201 && status !== 429)
  expect(statuses).toEqual([])
  expect(refused[0]?.body).toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    details: { scope: 'outboundMail', limit: 200, used: 200 },
  })
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(refused[0]?.headers.get('RateLimit')).toContain('"outboundMail";r=0')
  const messages = await Promise.all(conversationIds.map((id) => inbox.messagesOf(id)))
  expect(messages.flat()).toHaveLength(4)
})

test('a mail that does not fit as a whole is refused as a whole, and a smaller one still fits', async () => {
  const inbox = await makeMailInbox(service)
  const conversationId = await openConversation(inbox)
  for (const count of [50, 50, 50, 30]) expect((await sendTo(inbox, conversationId, count)).status).toBe(201)
  expect((await sendTo(inbox, conversationId, 21)).status).toBe(429)
  expect((await sendTo(inbox, conversationId, 20)).status).toBe(201)
  expect((await sendTo(inbox, conversationId, 1)).status).toBe(429)
})

test('a deleted conversation gives nothing back', async () => {
  const inbox = await makeMailInbox(service)
  const conversationId = await openConversation(inbox)
  for (let each = 0; each < 4; each++) await sendTo(inbox, conversationId, 50)
  expect((await inbox.ask('DELETE', `/api/v1/conversations/${conversationId}`)).status).toBe(200)
  expect((await sendTo(inbox, await openConversation(inbox), 1)).status).toBe(429)
})

test('an inbox with a proven domain, and the operator, raise the budget', async () => {
  const inbox = await makeMailInbox(service)
  const conversationId = await openConversation(inbox)
  for (let each = 0; each < 4; each++) await sendTo(inbox, conversationId, 50)
  await setLimit(inbox, 'relayRecipientsPerDay', 250)
  expect((await sendTo(inbox, conversationId, 50)).status).toBe(201)
  expect((await sendTo(inbox, conversationId, 1)).status).toBe(429)
  await setLimit(inbox, 'relayRecipientsPerDay', -1)
  expect((await sendTo(inbox, conversationId, 50)).status).toBe(201)
  const proven = await makeMailInbox(service)
  const row = await proven.store.inboxes.find(proven.inboxId)
  const email = row?.email && { ...row.email, domainProvenAt: new Date().toISOString() }
  const expectVersion = row?.version ?? 0
  const write = { op: 'update', kind: 'inboxes', id: proven.inboxId, expectVersion, set: { email } } as const
  await proven.store.commit({ writes: [write] as never, events: [] })
  const provenId = await openConversation(proven)
  for (let each = 0; each < 5; each++) expect((await sendTo(proven, provenId, 50)).status).toBe(201)
})

test('a server of the team has sixty recipients a minute', async () => {
  const smtp = { host: 'localhost', port: 2525, security: 'starttls', user: 'support' }
  const inbox = await makeMailInbox(service, { transport: 'smtp', smtp })
  await setLimit(inbox, 'smtpRecipientsPerMinute', 20)
  const conversationId = await openConversation(inbox)
  expect((await sendTo(inbox, conversationId, 20)).status).toBe(201)
  // A minute may end in between: the next one has its own twenty.
  let refused = await sendTo(inbox, conversationId, 20)
  if (refused.status === 201) refused = await sendTo(inbox, conversationId, 20)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(60)
})

test('a planned draft beyond the budget waits, and is listed as unsent with the reason', async () => {
  const inbox = await makeMailInbox(service)
  await setLimit(inbox, 'relayRecipientsPerDay', 0)
  const conversationId = await openConversation(inbox)
  const body = {
    content: 'It is repaired.',
    to: ['ada@example.com'],
    sendAt: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const made = await inbox.ask('PUT', `/api/v1/conversations/${conversationId}/draft`, body)
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
  await comeDue(inbox.store, made.body.data._id)
  const unsent = async () => (await inbox.ask('GET', '/api/v1/users/me/drafts?state=unsent')).body.data
  await expect.poll(unsent).toMatchObject([{ sendError: 'OUTBOUND_LIMIT', sendAt: body.sendAt }])
  const [{ _id: id }] = await unsent()
  await setLimit(inbox, 'relayRecipientsPerDay', 10)
  const row = await inbox.store.drafts.find(id)
  expect(Date.parse(row?.dueAt ?? '') % 3_600_000).toBe(0)
  await comeDue(inbox.store, id)
  await expect.poll(async () => (await inbox.messagesOf(conversationId)).length).toBe(1)
})

test('an automatic reply beyond the budget is left out, and the mail still becomes a conversation', async () => {
  const inbox = await makeMailInbox(service, { autoReply: { enabled: true, content: 'We have it.' } })
  await setLimit(inbox, 'relayRecipientsPerDay', 0)
  const mail = await inbox.receive({})
  expect(mail['status']).toBe('processed')
  expect(await inbox.messagesOf(mail['conversationId'])).toHaveLength(1)
})

test('an invitation beyond the budget is not mailed, and passwords have a share of their own', async () => {
  const inbox = await makeMailInbox(service)
  await setLimit(inbox, 'relayRecipientsPerDay', 0)
  const email = `grace${Date.now()}@acme.test`
  const invited = await inbox.ask('POST', '/api/v1/users', { email, role: 'agent' })
  expect(invited.body.data.inviteToken).toBeTruthy()
  const owner = inbox.owner.user.email
  await call(service.url, { method: 'POST', path: '/api/v1/auth/password-reset', body: { email: owner } })
  await expect.poll(async () => (await mailTo(service.url, owner)).length).toBe(1)
  expect(await mailTo(service.url, email)).toEqual([])
})
