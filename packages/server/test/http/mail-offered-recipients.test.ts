import type { ReplyRecipients } from '@crmkit/core'
import { beforeEach, expect, test } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
let inbox: MailInbox
beforeEach(async () => {
  inbox = await makeMailInbox(service)
})

const shownOf = async (conversationId = ''): Promise<ReplyRecipients> =>
  (await inbox.ask('GET', `/api/v1/conversations/${conversationId}/recipients`)).body.data
const addresses = (list: readonly { address: string | null }[]) => list.map(({ address }) => address)
const authentic = (result: 'pass' | 'fail', domain: string) =>
  `Authentication-Results: mx.acme.test; dmarc=${result} header.from=${domain}`
const knowCustomer = (email: string) =>
  inbox.ask('POST', '/api/v1/customers', { firstName: 'Real', lastName: 'Customer', email })

test('a forged mail of a known customer is answered to the customer; what only the forger names is offered without a name of the customer', async () => {
  await knowCustomer('real@corp.test')
  const { conversationId } = await inbox.receive({
    from: 'Real Customer <real@corp.test>',
    headers: ['Reply-To: thief@evil.test', 'Cc: accomplice@evil.test'],
    text: 'Please send my licence key again.',
  })
  expect(await shownOf(conversationId)).toMatchObject({
    to: [{ address: 'real@corp.test', name: 'Real Customer', verified: null, isCustomers: true }],
    cc: [],
    offered: [
      { address: 'thief@evil.test', name: null, kind: 'to', reason: 'reply_to' },
      { address: 'accomplice@evil.test', name: null, kind: 'cc', reason: 'copy' },
    ],
  })
  const { email, recipients } = (await inbox.reply(conversationId)).body.data
  expect([addresses(email.to), email.cc, addresses(recipients)]).toEqual([
    ['real@corp.test'],
    [],
    ['real@corp.test'],
  ])
})

test('Reply-To and the copies of a verified sender are filled in', async () => {
  await knowCustomer('real@corp.test')
  const headers = ['Reply-To: real@home.test', 'Cc: bob@corp.test', authentic('pass', 'corp.test')]
  const { conversationId } = await inbox.receive({ from: 'Real <real@corp.test>', headers })
  expect(await shownOf(conversationId)).toMatchObject({
    to: [{ address: 'real@home.test', name: null, isCustomers: false }],
    cc: [{ address: 'bob@corp.test' }],
    offered: [],
  })
})

test('the sender of a mail that is not authentic is offered, and a reply that names nobody is refused', async () => {
  const headers = [authentic('fail', 'corp.test'), 'Cc: accomplice@evil.test']
  const { conversationId } = await inbox.receive({ from: 'Real <real@corp.test>', headers })
  expect(await shownOf(conversationId)).toMatchObject({
    to: [],
    cc: [],
    offered: [{ address: 'real@corp.test', name: 'Real', kind: 'to', reason: 'unverified_sender' }],
  })
  expect((await inbox.reply(conversationId)).status).toBe(422)
})

test('copies of a first mail are filled in where that mail made the customer, and offered of a customer known before', async () => {
  const from = 'Ada <ada@example.com>'
  const headers = ['Cc: bob@example.com']
  const first = await inbox.receive({ from, headers })
  const second = await inbox.receive({ from, headers })
  expect(addresses((await shownOf(first['conversationId'])).cc)).toEqual(['bob@example.com'])
  const { cc, offered } = await shownOf(second['conversationId'])
  expect([cc, offered]).toMatchObject([[], [{ address: 'bob@example.com', kind: 'cc', reason: 'copy' }]])
})

test('later copies are filled in of a sender who knows our Message-ID; of another one only those who wrote or were written to', async () => {
  const from = 'Ada <ada@example.com>'
  await knowCustomer('ada@example.com')
  const { conversationId } = await inbox.receive({ from, id: 'one@example.com' })
  const sent = (await inbox.reply(conversationId, { to: ['ada@example.com'], cc: ['carol@example.com'] }))
    .body.data
  const cc = 'Cc: bob@example.com, carol@example.com'
  const guessed = await inbox.receive({ from, headers: [cc, 'In-Reply-To: <one@example.com>'] })
  expect(guessed).toMatchObject({ conversationId })
  const after = await shownOf(conversationId)
  expect([addresses(after.cc), addresses(after.offered)]).toEqual([
    ['carol@example.com'],
    ['bob@example.com'],
  ])
  const headers = [cc, `In-Reply-To: <${sent.email.messageId}>`]
  expect(await inbox.receive({ from, headers })).toMatchObject({ conversationId })
  const proven = await shownOf(conversationId)
  expect([addresses(proven.cc), proven.offered]).toEqual([['bob@example.com', 'carol@example.com'], []])
})

test('the recipients say how a reply leaves and from whom', async () => {
  const { conversationId } = await inbox.receive()
  const { door, from } = await shownOf(conversationId)
  const sent = (await inbox.reply(conversationId)).body.data
  expect({ door, from }).toEqual({ door: 'email', from: sent.email.from })
})
