import { afterAll, beforeAll, it } from 'vitest'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { doorPoints, killAtSmtpDoor } from './support/smtp-door-kill.ts'
import { sqliteWorld } from './support/worlds.ts'

let certificate: TestCertificate
beforeAll(async () => {
  certificate = await makeCertificate()
})
afterAll(() => certificate.remove())

it.each(doorPoints)(
  'a mail over SMTP is acknowledged only when it is stored, and stored once, when the server dies at %s [own.mail.in]',
  (point) => killAtSmtpDoor(sqliteWorld(), { point, certificate }),
)
