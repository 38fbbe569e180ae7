// Runs on both databases by day: erasure.

import { expect, test } from 'vitest'
import { findMailTags } from '../../src/mail/addresses/mail-key.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { deliveryReport } from '../support/delivery-report.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const secretsKey = 'the key of these tests which is long enough'
const service = useService({ CRM_SECRETS_KEY: secretsKey })

async function isErased(inbox: MailInbox, id = '', attachmentId = ''): Promise<boolean> {
  const { status } = await inbox.ask('GET', `/api/v1/inbound-mails/${id}`)
  return status === 404 && (await inbox.store.attachments.find(attachmentId)) === undefined
}
const attachmentOf = async (inbox: MailInbox, id = '') =>
  (await inbox.store.inboundMails.find(id))?.attachmentId ?? ''

test('mails of a customer that became no message are exported and erased with the customer [own.mail.erasure]', async () => {
  const inbox = await makeMailInbox(service)
  const { conversationId } = await inbox.receive()
  const { customerId } = await inbox.conversationOf(conversationId)
  const tags = await findMailTags(inbox.store, createSecretBox([secretsKey]))
  const ignored = await inbox.receive({ headers: [`X-Loop: ${tags?.loopMark(inbox.inboxId)}`] })
  const other = await inbox.receive({
    from: 'bob@example.com',
    headers: [`X-Loop: ${tags?.loopMark(inbox.inboxId)}`],
  })
  const parked = await inbox.deliver('From: nobody\r\n\r\nHi', '?from=Ada@Example.com')
  expect([ignored['status'], other['status'], parked['status']]).toEqual(['ignored', 'ignored', 'parked'])
  const mails = [ignored, parked].map(({ _id = '' }) => _id)
  const attachments = await Promise.all(mails.map((id) => attachmentOf(inbox, id)))

  const path = `/api/v1/customers/${customerId._id}`
  const exported = await fetch(`${service.url}${path}/export?format=json`, {
    headers: { Authorization: `Bearer ${inbox.owner.token}` },
  })
  const content = (await exported.json()) as { mails: { _id: string }[] }
  expect(content.mails.map(({ _id }) => _id).sort()).toEqual(mails.toSorted())
  expect((await inbox.ask('DELETE', path)).status).toBe(200)
  for (const [index, id] of mails.entries())
    await expect.poll(() => isErased(inbox, id, attachments[index])).toBe(true)
  expect((await inbox.ask('GET', `/api/v1/inbound-mails/${other['_id']}`)).status).toBe(200)
})

test('a report and a second copy of a mail are erased with the conversation that they are about [own.mail.erasure]', async () => {
  const inbox = await makeMailInbox(service)
  const { conversationId } = await inbox.receive({ id: 'first@example.com' })
  const { email } = (await inbox.reply(conversationId)).body.data
  const report = await inbox.deliver(
    deliveryReport({ recipient: 'ada@example.com', messageId: email.messageId }),
  )
  const copy = await inbox.receive({ id: 'first@example.com', to: email.replyTo, headers: ['Date: today'] })
  expect([report['reason'], copy['reason']]).toEqual(['bounce', 'duplicate'])
  const attachments = await Promise.all([report, copy].map(({ _id }) => attachmentOf(inbox, _id)))
  expect((await inbox.ask('DELETE', `/api/v1/conversations/${conversationId}`)).status).toBe(200)
  for (const [index, { _id }] of [report, copy].entries())
    await expect.poll(() => isErased(inbox, _id, attachments[index])).toBe(true)
})
