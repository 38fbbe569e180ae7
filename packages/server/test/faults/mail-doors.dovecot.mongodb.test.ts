// Runs at night; by day: mail-doors.dovecot kills at the same points on SQLite.

import { afterAll, beforeAll, it } from 'vitest'
import { type Dovecot, startDovecot } from '../support/dovecot.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { newDatabaseUrl } from '../support/mongo-database.ts'
import { killAtMailbox } from './support/mailbox-kill.ts'
import { mongoWorld } from './support/mongo-world.ts'
import { doorPoints } from './support/smtp-door-kill.ts'

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
  'on MongoDB a mailbox is read without a lost or a doubled mail when the server dies at %s',
  (point) => killAtMailbox(mongoWorld({ url: newDatabaseUrl() }), { point, dovecot, certificate }),
)
