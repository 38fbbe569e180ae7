import { afterAll, beforeAll, it } from 'vitest'
import { type Dovecot, startDovecot } from '../support/dovecot.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { killAtMailbox } from './support/mailbox-kill.ts'
import { doorPoints } from './support/smtp-door-kill.ts'
import { sqliteWorld } from './support/worlds.ts'

let certificate: TestCertificate
let dovecot: Dovecot
beforeAll(async () => {
  certificate = await makeCertificate()
  dovecot = await startDovecot(certificate)
})
afterAll(async () => {
  await dovecot.stop()
  certificate.remove()
})

it.each(doorPoints)(
  'a mailbox is read without a lost or a doubled mail when the server dies at %s [own.mail.imap.cursor]',
  (point) => killAtMailbox(sqliteWorld(), { point, dovecot, certificate }),
)
