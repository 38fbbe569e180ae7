// Runs at night; by day: mail-doors kills at the same points on SQLite.

import { afterAll, beforeAll, it } from 'vitest'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { newDatabaseUrl } from '../support/mongo-database.ts'
import { mongoWorld } from './support/mongo-world.ts'
import { doorPoints, killAtSmtpDoor } from './support/smtp-door-kill.ts'

let certificate: TestCertificate
beforeAll(async () => {
  certificate = await makeCertificate()
})
afterAll(() => certificate.remove())

it.each(doorPoints)(
  'on MongoDB a mail over SMTP is acknowledged only when it is stored, and stored once, when the server dies at %s',
  (point) => killAtSmtpDoor(mongoWorld({ url: newDatabaseUrl() }), { point, certificate }),
)
