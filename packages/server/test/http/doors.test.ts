import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doorEventsOf, doorsOf, fifteenCleanMinutes } from '../support/doors.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { startSmtpReceiver } from '../support/smtp-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let certificate: TestCertificate
let service: RunningService
beforeAll(async () => {
  certificate = await makeCertificate()
  service = await startService({ CRM_MAIL_CA_FILE: certificate.caFile })
  copyFileSync(certificate.caFile, path.join(service.dataDir, 'webhook-ca.pem'))
})
afterAll(async () => {
  await service?.stop()
  certificate.remove()
})

test('a server that refuses the sign-in says how many mails wait, until a test of the inbox succeeds', async () => {
  const receiver = await startSmtpReceiver({ certificate, password: 'hunter2' })
  const smtp = { host: 'localhost', port: receiver.port, security: 'starttls', user: 'support' }
  const inbox = await makeMailInbox(service, { transport: 'smtp', smtp })
  const credentials = `/api/v1/inboxes/${inbox.inboxId}/email-credentials`
  try {
    await inbox.ask('PUT', credentials, { smtpPassword: 'wrong' })
    const customer = await inbox.ask('POST', '/api/v1/customers', { email: 'ada@example.com' })
    const body = { subject: 'Broken lamp', inboxId: inbox.inboxId, customerId: customer.body.data._id }
    const conversationId = (await inbox.ask('POST', '/api/v1/conversations', body)).body.data._id
    expect((await inbox.reply(conversationId)).status).toBe(201)
    await expect.poll(() => doorsOf(inbox)).toMatchObject([{ door: 'server', part: 'sending', waiting: 1 }])
    await inbox.ask('PUT', credentials, { smtpPassword: 'hunter2' })
    const tested = await inbox.ask('POST', `/api/v1/inboxes/${inbox.inboxId}/email-test`, {})
    expect(tested.body.data.ok).toBe(true)
    await fifteenCleanMinutes(inbox, 'server')
    await expect.poll(() => doorsOf(inbox)).toEqual([])
    await expect
      .poll(() => doorEventsOf(inbox))
      .toEqual([
        ['inbox.failing', 'sending'],
        ['inbox.recovered', 'sending'],
      ])
  } finally {
    await receiver.stop()
  }
})

test('events of a provider with a wrong signature are trouble of the inbox', async () => {
  const inbox = await makeMailInbox(service)
  const at = `/api/v1/inboxes/${inbox.inboxId}`
  await inbox.ask('PUT', `${at}/email-credentials`, { mailgunSigningKey: 'key' })
  const { eventsToken } = (await inbox.ask('POST', `${at}/events-token`, {})).body.data
  const response = await fetch(`${service.url}/api/v1/inbound/events/${eventsToken}`, {
    method: 'POST',
    body: JSON.stringify({ signature: { timestamp: '1', token: 'a', signature: '00' }, 'event-data': {} }),
  })
  expect(response.status).toBe(401)
  const row = await inbox.store.doors.find(`${inbox.inboxId}.events`)
  expect(row).toMatchObject({ door: 'events', worksSince: null, failingSince: null })
  expect(await doorsOf(inbox)).toEqual([])
})
