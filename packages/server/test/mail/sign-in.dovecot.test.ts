import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call } from '../support/call.ts'
import { doorsOf } from '../support/doors.ts'
import { type Dovecot, startDovecot } from '../support/dovecot.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { type MailProviderServer, providerVariables, startMailProvider } from '../support/mail-provider.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let certificate: TestCertificate
let provider: MailProviderServer
let dovecot: Dovecot
let smtp: SmtpReceiver
let service: RunningService
beforeAll(async () => {
  certificate = await makeCertificate()
  provider = await startMailProvider()
  dovecot = await startDovecot(certificate, { introspectionUrl: provider.introspectionUrl })
  smtp = await startSmtpReceiver({ certificate, security: 'tls', isValidToken: provider.isValid })
  service = await startService({
    ...providerVariables,
    CRM_MAIL_OAUTH_HOSTS: `accounts=${provider.accounts},imap=localhost:${dovecot.port},smtp=localhost:${smtp.port}`,
    CRM_MAIL_CA_FILE: certificate.caFile,
  })
})
afterAll(async () => {
  await service?.stop()
  await smtp?.stop()
  await dovecot?.stop()
  await provider?.close()
  certificate.remove()
})
beforeEach(() => {
  provider.isDenied = false
  provider.awayWith = undefined
  provider.isSilent = false
})

let people = 0
const newPerson = () => `person${++people}@acme.test`

/** An inbox whose mailbox a person can sign in to. */
async function makeInbox() {
  const inbox = await makeMailInbox(service, { transport: 'none' })
  const path = `/api/v1/inboxes/${inbox.inboxId}`
  const emailOf = async () => (await inbox.ask('GET', path)).body.data.email
  const start = (body: object = { provider: 'google' }) => inbox.ask('POST', `${path}/email-sign-in`, body)
  const confirm = (state: string, name = 'google') =>
    inbox.ask('POST', `/api/v1/mail/oauth/${name}/confirm`, { state })
  return {
    ...inbox,
    path,
    emailOf,
    start,
    confirm,
    /** A person opens the page of the provider, grants access, and confirms. */
    async signIn(person: string, body: { provider: string; mailbox?: string } = { provider: 'google' }) {
      provider.person = person
      const { data } = (await start(body)).body
      const page = await fetch(data.authorizationUrl)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Access was granted')])
      return confirm(data.state, body.provider)
    },
    switchOn: () =>
      inbox.ask('PUT', path, {
        email: {
          ...inbox.settings,
          transport: 'smtp',
          imap: { auth: 'oauth' },
          smtp: { auth: 'oauth' },
        },
      }),
  }
}

const mailOf = (subject: string) =>
  [
    'From: Ada <ada@example.com>',
    'To: help@acme.test',
    `Subject: ${subject}`,
    `Message-ID: <${subject}@example.com>`,
    `Date: ${new Date().toUTCString()}`,
    '',
    'Hello',
  ].join('\r\n')

test.each([
  ['google', 'imap.gmail.com', 'smtp.gmail.com', 465],
  ['microsoft', 'outlook.office365.com', 'smtp.office365.com', 587],
] as const)(
  'mail of %s is read and sent by a sign-in, without a password',
  async (name, imap, host, port) => {
    const person = newPerson()
    const inbox = await makeInbox()
    const signedIn = await inbox.signIn(person, { provider: name })
    expect([signedIn.status, signedIn.body.data.email.oauth]).toEqual([
      200,
      { provider: name, user: person, grantedAt: expect.any(String) },
    ])
    expect((await inbox.switchOn()).status).toBe(200)
    await expect
      .poll(async () => (await inbox.emailOf()).imap)
      .toMatchObject({
        auth: 'oauth',
        host: imap,
        user: person,
        status: { ok: true, error: null, reauthRequired: false },
      })
    await dovecot.append(person, mailOf(`Hello by ${name}`))
    const mails = async () => (await inbox.ask('GET', '/api/v1/inbound-mails')).body.data
    await expect.poll(async () => (await mails())[0]?.status).toBe('processed')
    if (name === 'google') {
      const [{ conversationId }] = await mails()
      const { body } = await inbox.reply(conversationId)
      await expect.poll(async () => (await inbox.messageOf(body.data._id)).status).toBe('sent')
      expect(smtp.mails.at(-1)?.user).toBe(person)
    }
    const { smtp: shown, hasImapPassword } = await inbox.emailOf()
    expect(shown).toMatchObject({ auth: 'oauth', host, port, user: person })
    expect(hasImapPassword).toBe(false)
    const { body: listed } = await inbox.ask('GET', '/api/v1/inboxes')
    expect(JSON.stringify(listed)).not.toMatch(/ya29|1\/\/|refresh/i)
  },
)

test('a sign-in asks for what the provider needs, and a shared mailbox at Microsoft is the user', async () => {
  const inbox = await makeInbox()
  const set = await inbox.signIn(newPerson(), { provider: 'microsoft', mailbox: 'team@acme.test' })
  expect(set.body.data.email.oauth.user).toBe('team@acme.test')
  expect(Object.fromEntries(provider.asked.at(-1) ?? [])).toMatchObject({
    response_type: 'code',
    scope:
      'https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access openid email',
    redirect_uri: `${service.url}/api/v1/mail/oauth/microsoft/callback`,
  })
  const refused = await inbox.start({ provider: 'google', mailbox: 'team@acme.test' })
  expect([refused.status, refused.body.details]).toMatchObject([
    422,
    [{ field: 'mailbox', rule: 'provider' }],
  ])
})

test('a grant that ended says so, and a new sign-in mends it', async () => {
  const person = newPerson()
  const inbox = await makeInbox()
  await inbox.signIn(person)
  provider.endGrants()
  await inbox.switchOn()
  await expect
    .poll(async () => (await inbox.emailOf()).imap.status)
    .toMatchObject({
      ok: false,
      error: 'Google has ended the sign-in to the mailbox: sign in again.',
      reauthRequired: true,
    })
  const tested = await inbox.ask('POST', `${inbox.path}/email-test`, {})
  expect(tested.body.data).toMatchObject({ ok: false, steps: [{ server: 'imap', step: 'sign_in' }, {}] })
  // A job reports it to the team after the commit that says so in the inbox.
  await expect
    .poll(() => doorsOf(inbox))
    .toMatchObject([{ part: 'receiving', reason: expect.stringContaining('sign in again') }])
  const again = await inbox.signIn(person)
  expect(again.body.data.email.imap.status.reauthRequired).toBe(false)
  await expect.poll(async () => (await inbox.emailOf()).imap.status.ok).toBe(true)
})

test('a provider that is away, or says nothing, is no end of the sign-in', async () => {
  const inbox = await makeInbox()
  await inbox.signIn(newPerson())
  provider.awayWith = 503
  await inbox.switchOn()
  await expect
    .poll(async () => (await inbox.emailOf()).imap.status)
    .toMatchObject({
      ok: false,
      error: 'Google cannot be asked for access to the mailbox at present.',
      reauthRequired: false,
    })
  provider.awayWith = undefined
  await expect.poll(async () => (await inbox.emailOf()).imap.status.ok).toBe(true)
  provider.isSilent = true
  const { body } = await inbox.ask('POST', `${inbox.path}/email-test`, {})
  const error = 'Google cannot be asked for access to the mailbox at present.'
  expect(body.data.steps).toMatchObject([
    { server: 'imap', error },
    { server: 'smtp', error },
  ])
})

test('a token that ends early is replaced: a test of the servers asks for a new one', async () => {
  const inbox = await makeInbox()
  await inbox.signIn(newPerson())
  await inbox.switchOn()
  await expect.poll(async () => (await inbox.emailOf()).imap.status.ok).toBe(true)
  provider.endTokens()
  const { body } = await inbox.ask('POST', `${inbox.path}/email-test`, {})
  expect(body.data).toMatchObject({ ok: true })
})

test('only the person who started confirms, once, and only after the grant', async () => {
  const inbox = await makeInbox()
  const { data } = (await inbox.start()).body
  expect((await inbox.confirm(data.state)).status).toBe(404)
  provider.person = newPerson()
  await fetch(data.authorizationUrl)
  const { tenant } = inbox.owner
  const colleague = await addColleague(service, { tenantId: tenant._id, role: 'admin' })
  const path = '/api/v1/mail/oauth/google/confirm'
  const asked = { method: 'POST', path, token: colleague.token, body: { state: data.state } }
  expect((await call(service.url, asked)).status).toBe(404)
  expect((await inbox.confirm(data.state, 'microsoft')).status).toBe(404)
  provider.awayWith = 500
  const away = await inbox.confirm(data.state)
  expect([away.status, away.body.details]).toMatchObject([422, [{ field: 'state', rule: 'unreachable' }]])
  provider.awayWith = undefined
  expect((await inbox.confirm(data.state)).status).toBe(200)
  expect((await inbox.confirm(data.state)).status).toBe(404)
})

test('a refusal at the provider is shown, and ends the sign-in', async () => {
  const inbox = await makeInbox()
  const { data } = (await inbox.start()).body
  provider.isDenied = true
  expect(await (await fetch(data.authorizationUrl)).text()).toContain('Access was not granted')
  const { status, body } = await inbox.confirm(data.state)
  expect([status, body.details]).toMatchObject([422, [{ field: 'state', rule: 'denied' }]])
  // The same state grants nothing any more.
  provider.isDenied = false
  expect(await (await fetch(data.authorizationUrl)).text()).toContain('This sign-in cannot go on')
})

test('settings need a sign-in first, take back what was read, and lose their server with it', async () => {
  const inbox = await makeInbox()
  const unsigned = await inbox.switchOn()
  expect([unsigned.status, unsigned.body.details.map(({ field, rule }: never) => [field, rule])]).toEqual([
    422,
    [
      ['email.imap.auth', 'sign_in'],
      ['email.smtp.auth', 'sign_in'],
    ],
  ])
  await inbox.signIn(newPerson())
  await inbox.switchOn()
  const before = await inbox.emailOf()
  const { status: _imap, ...imap } = before.imap
  const { status: _smtp, ...server } = before.smtp
  const email = { ...inbox.settings, transport: 'smtp', imap, smtp: server }
  expect((await inbox.ask('PUT', inbox.path, { email })).status).toBe(200)
  const ended = await inbox.ask('DELETE', `${inbox.path}/email-sign-in`)
  expect([ended.status, ended.body.data.email.oauth, ended.body.data.email.imap.status]).toMatchObject([
    200,
    null,
    { reauthRequired: true },
  ])
  expect(provider.revoked).toHaveLength(1)
  const again = await inbox.ask('DELETE', `${inbox.path}/email-sign-in`)
  expect([again.status, provider.revoked.length]).toEqual([200, 1])
})

test('the deletion of an inbox ends its grant at the provider', async () => {
  const inbox = await makeInbox()
  await inbox.signIn(newPerson())
  await inbox.ask('POST', '/api/v1/inboxes', { name: 'Other', isDefault: true })
  const before = provider.revoked.length
  expect((await inbox.ask('DELETE', inbox.path)).status).toBe(200)
  expect(provider.revoked.length).toBe(before + 1)
})
