import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dovecot, dovecotPassword, startDovecot } from '../support/dovecot.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { makeImapInbox } from '../support/imap-inbox.ts'
import { type RunningService, startService } from '../support/start-service.ts'

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

const subjects = (mails: { subject: string | null }[]) => mails.map(({ subject }) => subject).sort()

function mailOf(subject: string, text = 'Hello'): string {
  return [
    'From: Ada <ada@example.com>',
    'To: help@example.com',
    `Subject: ${subject}`,
    `Message-ID: <${subject}.${Math.random()}@example.com>`,
    `Date: ${new Date().toUTCString()}`,
    '',
    text,
  ].join('\r\n')
}

/** A mail with an umlaut in every part and an attachment. */
const umlauts = [
  'From: =?utf-8?Q?J=C3=BCrgen?= <juergen@example.com>',
  'Subject: =?utf-8?B?R3LDvMOfZSBhdXMgS8O2bG4=?=',
  'Message-ID: <umlauts@example.com>',
  'Date: Mon, 05 Jan 2026 10:00:00 +0100',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Die T=FCr ist kaputt.',
  '--x',
  'Content-Type: text/csv',
  "Content-Disposition: attachment; filename*=utf-8''T%C3%BCr.csv",
  '',
  'a,b',
  '--x--',
].join('\r\n')

test.each(['tls', 'starttls'] as const)(
  'a mail with umlauts and an attachment becomes a message over %s as soon as it arrives, and its flags stay',
  async (security) => {
    const inbox = await makeImapInbox(service, dovecot, { security, port: dovecot.ports[security] })
    await inbox.append(mailOf('before the start'))
    await inbox.open()
    await inbox.append(umlauts)
    // Far sooner than the poll of every five minutes.
    await expect.poll(async () => (await inbox.mailsOf())[0]?.status).toBe('processed')
    const [mail, ...others] = await inbox.mailsOf()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ door: 'imap', subject: 'Grüße aus Köln', from: 'juergen@example.com' })
    const message = await inbox.messageOf(mail.messageId)
    expect(message.content).toContain('Die Tür ist kaputt.')
    expect(message.attachments).toMatchObject([{ filename: 'Tür.csv' }])
    expect(await dovecot.ask(inbox.user, 'FETCH 1:* (FLAGS)')).not.toContain('\\Seen')
  },
)

test('mail that arrives while the service or the server is away is read afterwards, once [own.mail.imap.cursor]', async () => {
  const inbox = await makeImapInbox(service, dovecot)
  await inbox.open()
  await inbox.append(mailOf('first'))
  await expect.poll(async () => subjects(await inbox.mailsOf())).toEqual(['first'])
  await inbox.setImap({ enabled: false })
  for (const subject of ['second', 'third']) await inbox.append(mailOf(subject))
  await dovecot.kill()
  await inbox.setImap({ enabled: true })
  await expect
    .poll(inbox.statusOf)
    .toMatchObject({ ok: false, error: expect.stringMatching(/Nothing listens at port/) })
  await dovecot.start()
  await expect.poll(async () => subjects(await inbox.mailsOf())).toEqual(['first', 'second', 'third'])
  await expect.poll(inbox.statusOf).toMatchObject({ ok: true, error: null })
})

test('after a change of UIDVALIDITY no mail is lost, doubled, or older than the start of the reading [own.mail.imap.cursor]', async () => {
  const inbox = await makeImapInbox(service, dovecot, { folder: 'Support' })
  const hourAgo = new Date(Date.now() - 3_600_000)
  await dovecot.create(inbox.user, 'Support')
  await inbox.append(mailOf('old'), { folder: 'Support', at: hourAgo })
  await inbox.open()
  await inbox.append(mailOf('first'), { folder: 'Support' })
  await expect.poll(async () => subjects(await inbox.mailsOf())).toEqual(['first'])
  await inbox.setImap({ enabled: false, folder: 'Support' })
  await dovecot.renewFolder(inbox.user, 'Support')
  await inbox.append(mailOf('second'), { folder: 'Support' })
  await inbox.setImap({ folder: 'Support' })
  await expect.poll(async () => subjects(await inbox.mailsOf())).toEqual(['first', 'second'])
})

test('with `since` the first reading begins at that moment [own.mail.imap.cursor]', async () => {
  const since = new Date(Date.now() - 7_200_000)
  const inbox = await makeImapInbox(service, dovecot, { since: since.toISOString() })
  for (const [subject, hours] of [
    ['older', 3],
    ['newer', 1],
  ] as const)
    await inbox.append(mailOf(subject), { at: new Date(Date.now() - hours * 3_600_000) })
  await inbox.open()
  await expect.poll(async () => subjects(await inbox.mailsOf())).toEqual(['newer'])
})

test('a refused password is on the inbox in one sentence, and is tried once; a right one is tried immediately', async () => {
  const inbox = await makeImapInbox(service, dovecot)
  const refusals = () =>
    dovecot.log().filter((line) => line.includes(inbox.user) && line.includes('auth failed'))
  await inbox.setPassword('wrong-password')
  await expect.poll(inbox.statusOf).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^The server refuses the user or the password/),
  })
  const { status, body } = await inbox.ask('POST', `/api/v1/inboxes/${inbox.inboxId}/email-test`, {})
  expect([status, body.data.ok]).toEqual([200, false])
  // The test is the second sign-in; polls of the service follow, and none of them signs in.
  await expect.poll(refusals).toHaveLength(2)
  await inbox.append(mailOf('not read yet'))
  await inbox.open()
  expect(refusals()).toHaveLength(2)
  expect(JSON.stringify(await inbox.statusOf())).not.toContain('password')
})

test('a mail that is too long is stored parked by its header, and blocks none after it [own.mail.imap.cursor]', async () => {
  const inbox = await makeImapInbox(service, dovecot)
  await inbox.open()
  await inbox.append(mailOf('huge', 'x'.repeat(78).concat('\r\n').repeat(400_000)))
  await inbox.append(mailOf('small'))
  const states = async () =>
    (await inbox.mailsOf()).map((mail: Record<string, unknown>) => [mail['status'], mail['reason']]).sort()
  await expect.poll(states).toEqual([
    ['parked', 'too_large'],
    ['processed', null],
  ])
  const parked = (await inbox.mailsOf()).find(({ status }: { status: string }) => status === 'parked')
  expect(parked).toMatchObject({ door: 'imap', error: expect.stringContaining('at most 30 are read') })
  expect(parked.sizeBytes).toBeGreaterThan(30 * 1024 * 1024)
})

test('changed settings end the connection', async () => {
  const inbox = await makeImapInbox(service, dovecot)
  const ends = () => dovecot.log().filter((line) => line.includes(`imap(${inbox.user})`)).length
  await inbox.open()
  await inbox.setImap({ folder: 'INBOX', since: '2026-01-01T00:00:00.000Z' })
  await expect.poll(ends).toBe(1)
  await expect.poll(inbox.statusOf).toMatchObject({ ok: true })
  await inbox.setImap(null)
  await expect.poll(ends).toBe(2)
})

/** Counts the connections to a mailbox that have ended. */
const endsOf = (user: string) => dovecot.log().filter((line) => line.includes(`imap(${user})`)).length

test('the mailbox of a suspended tenant is not connected and not read, and its mail is read afterwards', async () => {
  const inbox = await makeImapInbox(service, dovecot)
  const setSuspended = async (isSuspended: boolean) => {
    const { system } = service.service.storage
    const { _id: id } = inbox.owner.tenant
    const { version = 0 } = (await system.findTenant(id)) ?? {}
    const set = { isSuspended }
    const writes = [{ op: 'update', kind: 'tenants', id, expectVersion: version, set } as const]
    await system.commit(id, { writes, events: [] })
  }
  const stored = async () => (await inbox.store.inboundMails.list({ page: 1, limit: 10 })).rows.length
  await inbox.open()
  await setSuspended(true)
  await expect.poll(() => endsOf(inbox.user)).toBe(1)
  await inbox.append(mailOf('while suspended'))
  await untilOthersAreRead()
  expect(await stored()).toBe(0)
  // The test's own connection has ended since, and no other one.
  await expect.poll(() => endsOf(inbox.user)).toBe(2)
  await setSuspended(false)
  await expect.poll(stored).toBe(1)
})

test('the mailbox of a deleted inbox is not connected and not read any more', async () => {
  const inbox = await makeImapInbox(service, dovecot)
  await inbox.open()
  const another = await inbox.ask('POST', '/api/v1/inboxes', { name: 'Another' })
  await inbox.ask('PUT', `/api/v1/inboxes/${another.body.data._id}`, { isDefault: true })
  const { status, body } = await inbox.ask('DELETE', `/api/v1/inboxes/${inbox.inboxId}`)
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  await expect.poll(() => endsOf(inbox.user)).toBe(1)
  await inbox.append(mailOf('after the end'))
  await untilOthersAreRead()
  await expect.poll(() => endsOf(inbox.user)).toBe(2)
  expect((await inbox.store.inboundMails.list({ page: 1, limit: 10 })).rows).toEqual([])
})

/** Waits until another mailbox was found and read: the poll that finds it looks at all of them. */
async function untilOthersAreRead(): Promise<void> {
  const other = await makeImapInbox(service, dovecot)
  await other.open()
  await other.append(mailOf('of another inbox'))
  await expect.poll(async () => (await other.mailsOf()).length).toBe(1)
}

test('each step of the test of a mailbox is named with its time, up to the first that fails [own.mail.setup]', async () => {
  const inbox = await makeImapInbox(service, dovecot)
  const testOf = async () => {
    const { body } = await inbox.ask('POST', `/api/v1/inboxes/${inbox.inboxId}/email-test`, {})
    return body.data.steps.filter(({ server }: { server: string }) => server === 'imap')
  }
  await inbox.setPassword(dovecotPassword)
  const names = ['resolve', 'connect', 'tls', 'sign_in', 'open_folder']
  expect(await testOf()).toEqual(
    names.map((step) => ({ server: 'imap', step, ok: true, ms: expect.any(Number), error: null })),
  )
  await inbox.setImap({ folder: 'Nowhere' })
  expect((await testOf()).at(-1)).toMatchObject({
    step: 'open_folder',
    ok: false,
    error: expect.stringMatching(/Nowhere/),
  })
  await inbox.setImap({ port: 1025 })
  expect((await testOf()).at(-1)).toMatchObject({
    step: 'connect',
    ok: false,
    error: expect.stringMatching(/Nothing listens/),
  })
})
