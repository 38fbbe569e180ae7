import { expect } from 'vitest'
import { call, registerTenant } from '../../support/call.ts'
import { type Dovecot, dovecotPassword } from '../../support/dovecot.ts'
import type { TestCertificate } from '../../support/https-receiver.ts'
import { startFleet } from './fleet.ts'
import type { DoorPoint } from './smtp-door-kill.ts'
import type { FaultWorld } from './worlds.ts'

const mailOf = (count: number) =>
  `From: ada@example.com\r\nSubject: ${count}\r\nMessage-ID: <${count}@example.com>\r\n\r\nHello`

/** Kills the server at the point while it reads a mailbox. Proves that each mail of the mailbox is stored once. */
export async function killAtMailbox(
  world: FaultWorld,
  { point, dovecot, certificate }: { point: DoorPoint; dovecot: Dovecot; certificate: TestCertificate },
): Promise<void> {
  let isArmed = false
  const variables = {
    ...world.variables,
    CRM_MAIL_ALLOW_CIDRS: '127.0.0.0/8',
    CRM_MAIL_CA_FILE: certificate.caFile,
  }
  const planFor = () => (isArmed ? { crash: { point, passage: 2 } } : {})
  const fleet = await startFleet([{ name: 'server', variables, planFor }])
  const [server] = fleet.members
  try {
    const { token } = await registerTenant(await fleet.whenUp())
    const ask = async (method: string, at: string, body?: unknown) =>
      (await call(await fleet.whenUp(), { method, path: at, token, ...(body !== undefined && { body }) }))
        .body.data
    const [{ _id }] = await ask('GET', '/api/v1/inboxes')
    const imap = { host: 'localhost', port: dovecot.port, security: 'tls', user: point }
    await ask('PUT', `/api/v1/inboxes/${_id}`, { email: { imap } })
    await ask('PUT', `/api/v1/inboxes/${_id}/email-credentials`, { imapPassword: dovecotPassword })
    await expect
      .poll(async () => (await ask('GET', `/api/v1/inboxes/${_id}`)).email.imap.status.ok)
      .toBe(true)
    isArmed = true
    await server?.kill()
    for (const count of [1, 2, 3]) await dovecot.append(point, mailOf(count))
    isArmed = false
    // The lease of the life before ends within 20 seconds.
    expect(await server?.nextDeath()).toBe('SIGKILL')
    const subjects = async () => {
      const mails: { rfcMessageId: string }[] = await ask('GET', '/api/v1/inbound-mails')
      return mails.map(({ rfcMessageId }) => Number.parseInt(rfcMessageId, 10)).sort()
    }
    await expect.poll(subjects).toEqual([1, 2, 3])
  } finally {
    await fleet.stop()
    expect(await world.integrityProblems()).toEqual([])
    await world.remove()
  }
}
