import { beforeEach, expect, test } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let inbox: MailInbox
beforeEach(async () => {
  const smtp = { host: 'nowhere.invalid', port: 587, security: 'starttls', user: 'support' }
  inbox = await makeMailInbox(service, { authservIds: [], transport: 'smtp', smtp })
})

async function proposed(): Promise<string[]> {
  const tested = await inbox.ask('POST', `/api/v1/inboxes/${inbox.inboxId}/email-test`, {})
  expect(tested.status).toBe(200)
  return tested.body.data.proposals.authservIds
}

async function receiveFrom(server: string, count: number): Promise<void> {
  const headers = [
    `Received: from a.example (a.example [192.0.2.1]) by ${server} with ESMTPS id 1`,
    `Authentication-Results: ${server}; dmarc=pass header.from=example.com`,
  ]
  for (let index = 0; index < count; index += 1)
    await inbox.receive({ from: `Ada <ada${index}@example.com>`, headers })
}

test('a test of an inbox proposes the server that 18 of the last 20 mails name, until the inbox believes it', async () => {
  await receiveFrom('mx.shop.example', 17)
  expect(await proposed()).toEqual([])
  await receiveFrom('mx.other.example', 2)
  expect(await proposed()).toEqual([])
  await receiveFrom('MX.shop.example', 1)
  expect(await proposed()).toEqual(['mx.shop.example'])
  const email = { ...inbox.settings, authservIds: ['mx.shop.example'] }
  expect((await inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, { email })).status).toBe(200)
  expect(await proposed()).toEqual([])
})

test('mails of another inbox, and older ones than the last 20, propose nothing', async () => {
  await receiveFrom('mx.shop.example', 18)
  await receiveFrom('mx.other.example', 3)
  expect(await proposed()).toEqual([])
  const made = await inbox.ask('POST', '/api/v1/inboxes', {
    name: 'Second',
    email: { ...inbox.settings, address: 'b@acme.test' },
  })
  const tested = await inbox.ask('POST', `/api/v1/inboxes/${made.body.data._id}/email-test`, {})
  expect(tested.body.data.proposals).toEqual({ authservIds: [] })
})
