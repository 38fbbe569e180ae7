// Runs at night; by day: mail-doors kills at the same points on SQLite.

import { afterAll, beforeAll, it } from 'vitest'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { newDatabaseUrl } from '../support/mongo-database.ts'
import { mongoWorld } from './support/mongo-world.ts'
import { type DoorMail, doorMails, doorPoints, killAtSmtpDoor } from './support/smtp-door-kill.ts'

let certificate: TestCertificate
beforeAll(async () => {
  certificate = await makeCertificate()
})
afterAll(() => certificate.remove())

const sizes = Object.keys(doorMails) as DoorMail[]
it.each(sizes.flatMap((size) => doorPoints.map((point) => ({ size, point }))))(
  'on MongoDB a $size mail over SMTP is acknowledged only when it is stored, and stored once, when the server dies at $point',
  ({ size, point }) => killAtSmtpDoor(mongoWorld({ url: newDatabaseUrl() }), { point, size, certificate }),
)
