import { afterAll, beforeAll, expect, test } from 'vitest'
import { doorEventsOf, doorsOf, fifteenCleanMinutes } from '../support/doors.ts'
import { type Dovecot, dovecotPassword, startDovecot } from '../support/dovecot.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { makeImapInbox } from '../support/imap-inbox.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { mailTo, textOf } from '../support/system-mail.ts'

let certificate: TestCertificate
let dovecot: Dovecot
let service: RunningService
beforeAll(async () => {
  certificate = await makeCertificate()
  dovecot = await startDovecot(certificate)
  service = await startService({ CRM_MAIL_CA_FILE: certificate.caFile })
})
afterAll(async () => {
  await service?.stop()
  await dovecot?.stop()
  certificate.remove()
})

test('a mailbox that refuses its password is reported within a minute, and one mail goes to the admins', async () => {
  const inbox = await makeImapInbox(service, dovecot)
  try {
    await inbox.setPassword('wrong')
    await expect.poll(() => doorsOf(inbox)).toHaveLength(1)
    const [door] = await doorsOf(inbox)
    expect(door).toMatchObject({ door: 'mailbox', part: 'receiving', inboxId: inbox.inboxId, waiting: 0 })
    await expect.poll(() => doorEventsOf(inbox)).toEqual([['inbox.failing', 'receiving']])
    const { email } = inbox.owner.user
    await expect.poll(async () => (await mailTo(service.url, email)).length).toBe(1)
    const [mail] = await mailTo(service.url, email)
    expect(textOf(mail?.raw ?? '')).toContain('Mail is not fetched')
    await inbox.setPassword(dovecotPassword)
    await fifteenCleanMinutes(inbox, 'mailbox')
    await expect.poll(() => doorsOf(inbox)).toEqual([])
    await expect
      .poll(() => doorEventsOf(inbox))
      .toEqual([
        ['inbox.failing', 'receiving'],
        ['inbox.recovered', 'receiving'],
      ])
    expect(await mailTo(service.url, email)).toHaveLength(1)
  } finally {
    await inbox.setImap(null)
  }
})
