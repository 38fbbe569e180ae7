import { afterAll, beforeAll, it } from 'vitest'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { type DoorMail, doorMails, doorPoints, killAtSmtpDoor } from './support/smtp-door-kill.ts'
import { sqliteWorld } from './support/worlds.ts'

let certificate: TestCertificate
beforeAll(async () => {
  certificate = await makeCertificate()
})
afterAll(() => certificate.remove())

const sizes = Object.keys(doorMails) as DoorMail[]
it.each(sizes.flatMap((size) => doorPoints.map((point) => ({ size, point }))))(
  'a $size mail over SMTP is acknowledged only when it is stored, and stored once, when the server dies at $point [own.mail.in]',
  ({ size, point }) => killAtSmtpDoor(sqliteWorld(), { point, size, certificate }),
)
