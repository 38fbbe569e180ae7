import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { FaultPoint } from '../../../src/shared/fault-points.ts'
import { call, registerTenant } from '../../support/call.ts'
import { findLastingPort } from '../../support/free-port.ts'
import type { TestCertificate } from '../../support/https-receiver.ts'
import { openSmtp } from '../../support/smtp-client.ts'
import { startFleet } from './fleet.ts'
import type { FaultWorld } from './worlds.ts'

/** The moments between the last byte of a mail and its response. */
export const doorPoints = [
  'mail-bytes-before-row',
  'mail-stored-before-answer',
] as const satisfies FaultPoint[]
export type DoorPoint = (typeof doorPoints)[number]

const domain = 'in.example.com'
/** One that is in memory until it is stored, and one that is written while it arrives. */
export const doorMails = { small: 1, large: 20_000 }
export type DoorMail = keyof typeof doorMails
const head =
  'From: Ada <ada@example.com>\r\nSubject: Lamp\r\nMessage-ID: <lamp@example.com>\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n\r\n'
const mailOf = (size: DoorMail) => `${head}${'It is dark\r\n'.repeat(doorMails[size])}`

/** Sends the mail; returns the last response, or undefined when the connection ends before it. */
async function sendTo(port: number, recipient: string, mail: string): Promise<string | undefined> {
  const client = await openSmtp(`smtp://127.0.0.1:${port}`)
  for (const line of ['EHLO mx.example.com', 'MAIL FROM:<ada@example.com>', `RCPT TO:<${recipient}>`])
    expect(await client.say(line)).toMatch(/^250 /)
  expect(await client.say('DATA')).toMatch(/^354 /)
  client.write(`${mail}.\r\n`)
  const said = await Promise.race([client.response(), client.closed.then(() => undefined)])
  client.destroy()
  return said
}

/**
 * Kills the server at the point while a mail arrives over SMTP, and sends the mail again. Proves that it was not
 * acknowledged before it was stored, and that it is stored once.
 */
export async function killAtSmtpDoor(
  world: FaultWorld,
  { point, size, certificate }: { point: DoorPoint; size: DoorMail; certificate: TestCertificate },
): Promise<void> {
  const directory = path.dirname(certificate.caFile)
  const [certFile, keyFile] = [path.join(directory, 'cert.pem'), path.join(directory, 'key.pem')]
  writeFileSync(certFile, certificate.cert)
  writeFileSync(keyFile, certificate.key)
  const smtpPort = await findLastingPort()
  let isArmed = false
  const variables = {
    ...world.variables,
    CRM_MAIL_DOMAIN: domain,
    CRM_SMTP_PORT: String(smtpPort),
    CRM_SMTP_TLS_CERT: certFile,
    CRM_SMTP_TLS_KEY: keyFile,
  }
  const planFor = () => (isArmed ? { crash: { point, passage: 1 } } : {})
  const fleet = await startFleet([{ name: 'server', variables, planFor }])
  const [server] = fleet.members
  try {
    const { token } = await registerTenant(await fleet.whenUp())
    const ask = async (method: string, at: string, body?: unknown) =>
      (await call(await fleet.whenUp(), { method, path: at, token, ...(body !== undefined && { body }) }))
        .body.data
    const [{ _id: inboxId }] = await ask('GET', '/api/v1/inboxes')
    const { inboundToken } = await ask('POST', `/api/v1/inboxes/${inboxId}/inbound-token`, {})
    isArmed = true
    await server?.kill()
    isArmed = false
    await fleet.whenUp()
    const death = server?.nextDeath()
    const recipient = `${inboundToken}@${domain}`
    const mail = mailOf(size)
    expect(await sendTo(smtpPort, recipient, mail)).toBeUndefined()
    expect(await death).toBe('SIGKILL')
    await fleet.whenUp()
    expect(await sendTo(smtpPort, recipient, mail)).toMatch(/^250 /)
    const mails = async () => ask('GET', '/api/v1/inbound-mails')
    await expect.poll(async () => (await mails()).length).toBe(1)
    expect(await mails()).toMatchObject([{ door: 'smtp' }])
  } finally {
    await fleet.stop()
    expect(await world.integrityProblems()).toEqual([])
    await world.remove()
  }
}
