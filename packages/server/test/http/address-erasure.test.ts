// Runs on both databases by day: erasure.

import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { deliveryReport } from '../support/delivery-report.ts'
import { kindsHolding } from '../support/kinds-holding.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

const erased = 'erased@erased.invalid'
const service = useService({ CRM_SECRETS_KEY: 'the key of these tests which is long enough' })

const make = async ({ ask }: MailInbox, path: string, body: object) => {
  const made = await ask('POST', path, body)
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
  return made.body.data
}
const newCustomer = (inbox: MailInbox, firstName: string, email: string) =>
  make(inbox, '/api/v1/customers', { firstName, email })
const block = (inbox: MailInbox, id: string) => make(inbox, `/api/v1/customers/${id}/block`, {})

/** Mails of the inbox are parked before anybody reads them. */
async function switchOff(inbox: MailInbox): Promise<void> {
  const { _id } = await make(inbox, '/api/v1/inboxes', { name: 'Other' })
  for (const [id, body] of [
    [_id, { isDefault: true }],
    [inbox.inboxId, { isActive: false }],
  ] as const)
    expect((await inbox.ask('PUT', `/api/v1/inboxes/${id}`, body)).status).toBe(200)
}

async function eraseCustomer({ ask }: MailInbox, id: string): Promise<void> {
  expect((await ask('DELETE', `/api/v1/customers/${id}`)).status).toBe(200)
}

/** Waits until no erasure of the tenant is under way. */
async function tasksEnd({ owner }: MailInbox): Promise<void> {
  const open = async () => {
    const tasks = await service.service.storage.system.listTasks(100)
    return tasks.filter(({ tenantId }) => tenantId === owner.tenant._id).length
  }
  await expect.poll(open, { interval: 250 }).toBe(0)
}

const statusOf = async ({ ask }: MailInbox, path: string) => (await ask('GET', path)).status
const mailStatus = (inbox: MailInbox, { _id }: Record<string, string>) =>
  statusOf(inbox, `/api/v1/inbound-mails/${_id}`)
const eventsOf = async ({ ask }: MailInbox) =>
  JSON.stringify((await ask('GET', '/api/v1/events?after=earliest&limit=100')).body)

test('a draft in a conversation that somebody else has by now no longer says for whose address it was saved', async () => {
  const inbox = await makeMailInbox(service)
  const was = await newCustomer(inbox, 'Was', 'was.here@people.example')
  const is = await newCustomer(inbox, 'Is', 'is.here@people.example')
  const save = async (customerId: string) => {
    const about = { subject: 'Lamp', inboxId: inbox.inboxId, channel: 'chat', customerId }
    const { _id } = await make(inbox, '/api/v1/conversations', about)
    const saved = await inbox.ask('PUT', `/api/v1/conversations/${_id}/draft`, { content: 'Soon' })
    return { path: `/api/v1/conversations/${_id}`, basis: saved.body.data.basis }
  }
  const [moved, own] = [await save(was._id), await save(is._id)]
  expect(moved.basis.customerEmail).toBe('was.here@people.example')
  await inbox.ask('PUT', moved.path, { customerId: is._id })
  await eraseCustomer(inbox, was._id)
  await tasksEnd(inbox)
  const draftOf = async ({ path }: { path: string }) => (await inbox.ask('GET', `${path}/draft`)).body.data
  expect((await draftOf(moved)).basis.customerEmail).toBeNull()
  expect((await draftOf(own)).basis).toEqual(own.basis)
  expect(await kindsHolding(service, 'was.here@people.example')).toEqual([])
})

// W2
test('the words of a guest in the conversation of somebody else are erased with the guest', async () => {
  const inbox = await makeMailInbox(service)
  const moe = await newCustomer(inbox, 'Moe', 'moe@people.example')
  const { conversationId } = await inbox.receive({ from: 'Lea <lea@people.example>' })
  const { email } = (await inbox.reply(conversationId, { cc: ['moe@people.example'] })).body.data
  const answer = await inbox.receive({
    from: 'Moe Marker <moe@people.example>',
    to: email.replyTo,
    text: 'The words of Moe',
  })
  expect(answer['conversationId']).toBe(conversationId)
  await eraseCustomer(inbox, moe._id)
  await expect.poll(() => statusOf(inbox, `/api/v1/messages/${answer['messageId']}`)).toBe(404)
  await expect.poll(() => mailStatus(inbox, answer)).toBe(404)
  expect(await statusOf(inbox, `/api/v1/inbound-mails/${answer['_id']}/raw`)).toBe(404)
  const left = async () =>
    JSON.stringify([
      (await inbox.conversationOf(conversationId)).participants,
      await inbox.messagesOf(conversationId),
      (await inbox.ask('GET', `/api/v1/conversations/${conversationId}/recipients`)).body,
      await eventsOf(inbox),
    ])
  await expect.poll(left).not.toMatch(/moe/i)
  expect(await left()).toContain('lea@people.example')
  expect((await inbox.messagesOf(conversationId)).map(({ content }: { content: string }) => content)).toEqual(
    ['Hi', 'It is repaired.'],
  )
  expect((await inbox.conversationOf(conversationId)).messageCount).toBe(2)
})

// W3
test('a mail of a former address is erased with the customer, and from the commit on brings nobody back', async () => {
  const inbox = await makeMailInbox(service)
  const eve = await newCustomer(inbox, 'Eve', 'eve-old@people.example')
  await block(inbox, eve._id)
  const ignored = await inbox.receive({ from: 'eve-old@people.example' })
  expect(ignored).toMatchObject({ status: 'ignored', reason: 'blocked' })
  await inbox.ask('PUT', `/api/v1/customers/${eve._id}`, { email: 'eve-new@people.example' })
  const attachmentId = (await inbox.store.inboundMails.find(ignored['_id'] ?? ''))?.attachmentId ?? ''
  await eraseCustomer(inbox, eve._id)
  const again = await inbox.ask('POST', `/api/v1/inbound-mails/${ignored['_id']}/process-again`, {})
  expect(again.status).toBe(404)
  expect(await mailStatus(inbox, ignored)).toBe(404)
  await expect.poll(() => inbox.store.inboundMails.find(ignored['_id'] ?? '')).toBeUndefined()
  await expect.poll(() => inbox.store.attachments.find(attachmentId)).toBeUndefined()
  expect((await inbox.ask('GET', '/api/v1/customers')).body.data).toEqual([])
})

test('a mail of a customer who was merged is erased with the one who is left', async () => {
  const inbox = await makeMailInbox(service)
  const fay = await newCustomer(inbox, 'Fay', 'fay@people.example')
  const gil = await newCustomer(inbox, 'Gil', 'gil@people.example')
  await block(inbox, fay._id)
  const ignored = await inbox.receive({ from: 'fay@people.example' })
  expect(ignored['status']).toBe('ignored')
  const merged = await inbox.ask('POST', `/api/v1/customers/${gil._id}/merge`, { sourceId: fay._id })
  expect(merged.status, JSON.stringify(merged.body)).toBe(200)
  await eraseCustomer(inbox, gil._id)
  expect(await mailStatus(inbox, ignored)).toBe(404)
  await expect.poll(() => inbox.store.inboundMails.find(ignored['_id'] ?? '')).toBeUndefined()
})

// W4
test('a mail that was parked before it was read is erased with its sender', async () => {
  const inbox = await makeMailInbox(service)
  const ada = await newCustomer(inbox, 'Ada', 'ada@people.example')
  await switchOff(inbox)
  const parked = await inbox.receive({ from: '"Lovelace, <ada>" <Ada@People.example>' })
  expect(parked).toMatchObject({ status: 'parked', reason: 'inbox_inactive', from: 'ada@people.example' })
  await eraseCustomer(inbox, ada._id)
  expect(await mailStatus(inbox, parked)).toBe(404)
  expect(await statusOf(inbox, `/api/v1/inbound-mails/${parked['_id']}/raw`)).toBe(404)
  await expect.poll(() => inbox.store.inboundMails.find(parked['_id'] ?? '')).toBeUndefined()
})

// W5
test('mails of an address that another living customer has stay until that one is erased too', async () => {
  const inbox = await makeMailInbox(service)
  const hal = await newCustomer(inbox, 'Hal', 'shared@people.example')
  const ida = await newCustomer(inbox, 'Ida', 'shared@people.example')
  await block(inbox, ida._id)
  const ignored = await inbox.receive({ from: 'shared@people.example' })
  expect(ignored['status']).toBe('ignored')
  await eraseCustomer(inbox, hal._id)
  expect(await mailStatus(inbox, ignored)).toBe(200)
  await tasksEnd(inbox)
  expect(await mailStatus(inbox, ignored)).toBe(200)
  await eraseCustomer(inbox, ida._id)
  expect(await mailStatus(inbox, ignored)).toBe(404)
  await expect.poll(() => inbox.store.inboundMails.find(ignored['_id'] ?? '')).toBeUndefined()
})

test('of two customers with one address who are erased at once, neither leaves mails', async () => {
  const inbox = await makeMailInbox(service)
  const [hal, ida] = await Promise.all(
    ['Hal', 'Ida'].map((name) => newCustomer(inbox, name, 'both@people.example')),
  )
  await switchOff(inbox)
  const parked = await inbox.receive({ from: 'both@people.example' })
  await Promise.all([hal, ida].map(({ _id }) => eraseCustomer(inbox, _id)))
  await expect.poll(() => inbox.store.inboundMails.find(parked['_id'] ?? '')).toBeUndefined()
})

// W6
test('replies keep no address of an erased person whose conversation was given to somebody else', async () => {
  const inbox = await makeMailInbox(service)
  const { conversationId } = await inbox.receive({ from: 'Ada Lovelace <ada@people.example>' })
  const ada = (await inbox.conversationOf(conversationId)).customerId._id
  const { _id } = (await inbox.reply(conversationId)).body.data
  const bea = await newCustomer(inbox, 'Bea', 'bea@people.example')
  const moved = await inbox.ask('PUT', `/api/v1/conversations/${conversationId}`, { customerId: bea._id })
  expect(moved.status).toBe(200)
  await eraseCustomer(inbox, ada)
  await expect
    .poll(async () => (await inbox.messageOf(_id)).email.to)
    .toEqual([{ address: erased, name: null }])
  const { recipients, status } = await inbox.messageOf(_id)
  expect(recipients).toMatchObject([{ address: erased, text: null }])
  expect([recipients[0].status, status]).not.toContain('queued')
  await expect.poll(() => eventsOf(inbox)).not.toMatch(/ada@people/i)
})

test('a conversation that was given to somebody else keeps no words of the person who began it', async () => {
  const inbox = await makeMailInbox(service)
  const mark = 'qwmarkwq'
  const from = 'Ada <ada@people.example>'
  const own = await inbox.receive({
    from,
    text: `${mark} writes`,
    headers: [`Subject: ${mark} cannot sleep`],
  })
  // Nobody knows whether this is the person.
  const forged = await inbox.receive({
    from,
    text: `${mark} calls`,
    headers: ['Authentication-Results: mx.acme.test; dmarc=fail', `Subject: ${mark} asks`],
  })
  const ada = (await inbox.conversationOf(own['conversationId'])).customerId._id
  const widget = await switchWidgetOn(service.url, inbox.owner.token)
  const visitor = new WidgetVisitor(service.url)
  await visitor.begin(widget.key, { page: `https://shop.example/${mark}` })
  const asked = await visitor.ask(`${mark} needs a lamp`)
  const rating = { rating: 1, comment: `${mark} waits` }
  const rated = await visitor.send('POST', `/api/v1/widget/conversations/${asked._id}/rating`, rating)
  expect(rated.status, JSON.stringify(rated.body)).toBe(200)
  const visitorId = (await inbox.conversationOf(asked._id)).customerId._id
  const bea = await newCustomer(inbox, 'Bea', 'bea@people.example')
  const given = [own['conversationId'], forged['conversationId'], asked._id]
  for (const [index, id] of given.entries()) {
    const body = { customerId: index < 2 ? bea._id : null, subject: `${mark} renamed` }
    expect((await inbox.ask('PUT', `/api/v1/conversations/${id}`, body)).status).toBe(200)
    await inbox.ask('POST', `/api/v1/conversations/${id}/messages`, { content: 'A note', type: 'note' })
  }
  expect(await kindsHolding(service, mark)).toEqual(
    expect.arrayContaining(['activities', 'conversations', 'events', 'messages']),
  )
  for (const id of [ada, visitorId]) await eraseCustomer(inbox, id)
  await tasksEnd(inbox)
  await expect.poll(() => kindsHolding(service, mark)).toEqual([])
  for (const id of given) {
    const left = await inbox.conversationOf(id)
    expect(left).toMatchObject({ subject: '(no subject)', page: null, rating: null })
    expect((await inbox.messagesOf(id)).map(({ content }: { content: string }) => content)).toEqual([
      'A note',
    ])
  }
})

test('the suppression of an address goes to another customer who has it, and ends with the last one', async () => {
  const inbox = await makeMailInbox(service)
  const address = 'bounced@people.example'
  const { conversationId } = await inbox.receive({ from: address })
  const first = (await inbox.conversationOf(conversationId)).customerId._id
  const { email } = (await inbox.reply(conversationId)).body.data
  await inbox.deliver(deliveryReport({ recipient: address, messageId: email.messageId }))
  const second = await newCustomer(inbox, 'Second', address)
  const suppressions = async () =>
    (await inbox.store.suppressedAddresses.list({ address, page: 1, limit: 10 })).rows.map(
      ({ customerId }) => customerId,
    )
  expect(await suppressions()).toHaveLength(1)
  await eraseCustomer(inbox, first)
  expect(await suppressions()).toEqual([second._id])
  await eraseCustomer(inbox, second._id)
  expect(await suppressions()).toEqual([])
})

test('a person who writes again after the erasure keeps that mail', async () => {
  const inbox = await makeMailInbox(service)
  const first = await inbox.receive({ from: 'Ada <again@people.example>', text: 'Before' })
  const { customerId } = await inbox.conversationOf(first['conversationId'])
  await eraseCustomer(inbox, customerId._id)
  const second = await inbox.receive({ from: 'Ada <again@people.example>', text: 'After' })
  await tasksEnd(inbox)
  expect(await statusOf(inbox, `/api/v1/messages/${first['messageId']}`)).toBe(404)
  const [message] = await inbox.messagesOf(second['conversationId'])
  expect(message).toMatchObject({ content: 'After', email: { from: { address: 'again@people.example' } } })
  const made = await inbox.conversationOf(second['conversationId'])
  expect(made.customerId._id).not.toBe(customerId._id)
  // And it is found by the next erasure.
  await eraseCustomer(inbox, made.customerId._id)
  await expect.poll(() => kindsHolding(service, 'again@people.example')).toEqual(['tasks'])
  await tasksEnd(inbox)
  expect(await kindsHolding(service, 'again@people.example')).toEqual([])
})

/** Types an address into the chat widget; returns the customer whom the first message makes. */
async function visitorTyping({ owner: { token }, store }: MailInbox, profile: object): Promise<string> {
  const widget = await switchWidgetOn(service.url, token)
  const visitor = new WidgetVisitor(service.url)
  expect((await visitor.begin(widget.key, { profile })).status).toBe(201)
  const { _id } = await visitor.ask('Hello')
  return (await store.conversations.find(_id))?.customerId ?? ''
}

/** Imports one row with the columns ID, Last Name and Email from a file. */
async function importContact(inbox: MailInbox, row: string): Promise<void> {
  const { _id } = await make(inbox, '/api/extcrm/integrations', { provider: 'file' })
  const path = `/api/extcrm/integrations/${_id}`
  const file = new File([`ID,Last Name,Email\n${row}\n`], 'rows.csv')
  const { token } = inbox.owner
  const form = { module: 'Contacts', file }
  expect((await call(service.url, { method: 'POST', path: `${path}/files`, token, form })).status).toBe(201)
  await inbox.ask('POST', `${path}/import`, {})
  const statusOfRun = async () => (await inbox.ask('GET', `${path}/import/status`)).body.data.syncStatus
  await expect.poll(statusOfRun).toBe('idle')
}

test('an address that a visitor typed into the chat is no reason to delete mails of its owner', async () => {
  const inbox = await makeMailInbox(service)
  const visitor = await visitorTyping(inbox, { email: 'victim@people.example' })
  await switchOff(inbox)
  const parked = await inbox.receive({ from: 'victim@people.example' })
  await eraseCustomer(inbox, visitor)
  expect(await mailStatus(inbox, parked)).toBe(200)
  const { rows } = await inbox.store.tasks.list({ erasedAddress: 'victim@people.example', page: 1, limit: 9 })
  expect(rows).toEqual([])
})

/** A person of one name at every door, in a tenant where others write too. */
async function personAtEveryDoor(inbox: MailInbox) {
  const mark = 'xqmarkqx'
  const from = `Xqmarkqx <${mark}@people.example>`
  const { ask } = inbox
  // A former address, and a mail that was ignored.
  const person = await newCustomer(inbox, 'Xqmarkqx', `old-${mark}@people.example`)
  await block(inbox, person._id)
  const ignored = await inbox.receive({ from: `Xqmarkqx <old-${mark}@people.example>` })
  await make(inbox, `/api/v1/customers/${person._id}/unblock`, {})
  await ask('PUT', `/api/v1/customers/${person._id}`, { email: `${mark}@people.example` })
  // The own conversation, with a reply that bounces.
  const own = await inbox.receive({ from, text: `${mark} writes` })
  const { email } = (await inbox.reply(own['conversationId'])).body.data
  await inbox.deliver(
    deliveryReport({
      recipient: `${mark}@people.example`,
      messageId: email.messageId,
      text: `${mark} is unknown`,
    }),
  )
  // In copy of a mail of somebody else, and of the reply to it; and as a guest.
  const other = await inbox.receive({ from: 'Lea <lea@people.example>', headers: [`Cc: ${from}`] })
  const { conversationId } = other
  const answered = (await inbox.reply(conversationId, { cc: [`${mark}@people.example`] })).body.data
  const draft = await ask('PUT', `/api/v1/conversations/${conversationId}/draft`, {
    content: 'To be sent',
    cc: [`${mark}@people.example`],
  })
  expect(draft.status, JSON.stringify(draft.body)).toBeLessThan(300)
  const guest = await inbox.receive({ from, to: answered.email.replyTo, text: `${mark} joins` })
  expect(guest['conversationId']).toBe(conversationId)
  // Nobody knows whether this is the person: a conversation without a customer.
  const forged = await inbox.receive({
    from,
    headers: ['Authentication-Results: mx.acme.test; dmarc=fail', `Subject: ${mark} asks`],
  })
  await make(inbox, '/api/v1/conversations', {
    subject: `${mark} calls`,
    inboxId: inbox.inboxId,
    customerId: person._id,
  })
  await importContact(inbox, `1,Xqmarkqx,${mark}@people.example`)
  const visitor = await visitorTyping(inbox, { firstName: 'Xqmarkqx', email: `${mark}@people.example` })
  await switchOff(inbox)
  const parked = await inbox.receive({ from })
  const mails = { ignored, own, guest, forged, parked }
  return { mark, persons: [person._id, visitor], mails, conversationId }
}

test('after its erasure a person at every door stands in no row of any kind', async () => {
  const inbox = await makeMailInbox(service)
  const { mark, persons, mails, conversationId } = await personAtEveryDoor(inbox)
  expect(mails).toMatchObject({
    ignored: { status: 'ignored' },
    own: { status: 'processed' },
    guest: { status: 'processed' },
    forged: { status: 'processed' },
    parked: { status: 'parked' },
  })
  expect(await kindsHolding(service, mark)).toEqual(
    expect.arrayContaining(['addressUses', 'customers', 'events', 'inboundMails', 'messages']),
  )
  for (const id of persons) await eraseCustomer(inbox, id)
  await tasksEnd(inbox)
  await expect.poll(() => kindsHolding(service, mark)).toEqual([])
  // The words of others stay.
  const left = await inbox.messagesOf(conversationId)
  expect(left.map(({ content }: { content: string }) => content)).toEqual(['Hi', 'It is repaired.'])
  expect(left[1].email.cc).toEqual([{ address: erased, name: null }])
  const again = await inbox.ask('GET', `/api/v1/conversations/${conversationId}/recipients`)
  expect(JSON.stringify(again.body)).not.toContain(erased)
})
