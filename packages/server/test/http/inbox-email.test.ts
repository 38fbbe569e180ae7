import { beforeEach, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
let id: string
let count = 0
beforeEach(async () => {
  owner = await registerTenant(service.url)
  id = (await ask('GET', '/api/v1/inboxes')).body.data[0]._id
})

const ask = (method: string, path: string, body?: unknown, token = owner.token) =>
  call(service.url, { method, path, token, ...(body !== undefined && { body }) })
const setEmail = (email: unknown) => ask('PUT', `/api/v1/inboxes/${id}`, { email })
const setSecrets = (body: unknown) => ask('PUT', `/api/v1/inboxes/${id}/email-credentials`, body)
const stored = () => service.service.storage.forTenant(owner.tenant._id).inboxes.find(id)
const newAddress = () => {
  count += 1
  return `support-${count}@example.com`
}
const smtp = { host: 'Mail.Example.com', port: 587, security: 'starttls', user: 'support' }
const imap = { host: 'imap.example.com', port: 993, security: 'tls', user: 'support' }
const problems = (reply: Awaited<ReturnType<typeof ask>>) =>
  reply.body.details.map(({ field, rule }: { field: string; rule: string }) => `${field}: ${rule}`)

test('an inbox has every e-mail setting from the start, and a PUT replaces them as a whole', async () => {
  const before = await ask('GET', `/api/v1/inboxes/${id}`)
  expect(before.body.data.email).toEqual({
    address: null,
    displayName: null,
    plusAddressing: false,
    authservIds: [],
    signature: null,
    sesTopicArn: null,
    sesConfigurationSet: null,
    transport: 'none',
    sendDelaySeconds: 0,
    reopenDays: 30,
    autoReply: { enabled: false, content: null },
    imap: null,
    smtp: null,
    oauth: null,
    hasSmtpPassword: false,
    hasImapPassword: false,
    hasMailgunSigningKey: false,
    replyToSenders: [],
    hasSendgridVerificationKey: false,
    eventsTokenMadeAt: null,
    inboundTokenPrefix: null,
    dkim: null,
    domainProvenAt: null,
    addressProvenElsewhere: false,
  })
  const address = newAddress()
  const full = await setEmail({
    address,
    displayName: 'Support',
    plusAddressing: true,
    authservIds: ['MX.example.com', 'mx.example.com'],
    signature: '**{{agent.firstName}}** {{ inbox.name }}',
    transport: 'smtp',
    sendDelaySeconds: 10,
    reopenDays: 7,
    autoReply: { enabled: true, content: 'We have your mail.' },
    imap,
    smtp,
  })
  expect(full.body.data.email).toMatchObject({
    address,
    plusAddressing: true,
    authservIds: ['mx.example.com'],
    transport: 'smtp',
    imap: { ...imap, enabled: true, folder: 'INBOX', since: null, status: { ok: null, lastMailAt: null } },
    smtp: {
      ...smtp,
      host: 'mail.example.com',
      status: { ok: null, checkedAt: null, error: null, nextTryAt: null },
    },
  })
  const replaced = await setEmail({ address })
  expect(replaced.body.data.email).toEqual({ ...before.body.data.email, address })
  expect((await setEmail(null)).body.data.email).toEqual(before.body.data.email)
})

test.each([
  ['an address without a domain', { address: 'support' }, 'email.address: email'],
  ['an unknown variable of the signature', { signature: '{{agent.salary}}' }, 'email.signature: variable'],
  ['a delay above a minute', { sendDelaySeconds: 61 }, 'email.sendDelaySeconds: max'],
  ['no day to reopen', { reopenDays: 0 }, 'email.reopenDays: min'],
  ['six names of servers', { authservIds: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'email.authservIds: max'],
  ['a host with a path', { smtp: { ...smtp, host: 'a.example.com/x' } }, 'email.smtp.host: host'],
  ['a host with a line break', { smtp: { ...smtp, host: 'a\r\nb' } }, 'email.smtp.host: host'],
  ['a server without its port', { imap: { ...imap, port: undefined } }, 'email.imap.port: required'],
  ['plain text', { smtp: { ...smtp, security: 'none' } }, 'email.smtp.security: enum'],
  ['a field of the service', { hasSmtpPassword: true }, 'email.hasSmtpPassword: unknown_field'],
  ['a transport without an address', { transport: 'relay' }, 'email.address: required'],
  ['SMTP without a server', { address: 'a@example.com', transport: 'smtp' }, 'email.smtp: required'],
  [
    'a local part that leaves no space for a signature',
    { address: `${'a'.repeat(21)}@example.com`, plusAddressing: true },
    'email.address: plus_addressing',
  ],
  ['an automatic reply without words', { autoReply: { enabled: true } }, 'email.autoReply.content: required'],
])('refuses %s', async (_, email, problem) => {
  const reply = await setEmail(email)
  expect(reply.status).toBe(422)
  expect(problems(reply)).toContain(problem)
})

test('an address that nobody has proven may stand in the inboxes of several tenants', async () => {
  const address = newAddress()
  expect((await setEmail({ address })).status).toBe(200)
  const stranger = await registerTenant(service.url)
  const inboxes = await ask('GET', '/api/v1/inboxes', undefined, stranger.token)
  const path = `/api/v1/inboxes/${inboxes.body.data[0]._id}`
  const same = await ask('PUT', path, { email: { address: address.toUpperCase() } }, stranger.token)
  expect(same.status).toBe(200)
  const { system } = service.service.storage
  const found = await system.across.emailAddresses.of(address)
  expect(found.map(({ tenantId }) => tenantId)).toContain(stranger.tenant._id)
  expect(found).toHaveLength(2)
  expect(await system.across.emailAddresses.of(newAddress())).toEqual([])
})

test('passwords are sealed, never shown, and removed by null [own.mail.secrets]', async () => {
  await setEmail({ address: newAddress(), transport: 'smtp', smtp, imap })
  const secrets = {
    smtpPassword: 'hunter2-smtp',
    imapPassword: 'hunter2-imap',
    mailgunSigningKey: 'hunter2-key',
  }
  const set = await setSecrets(secrets)
  expect(set.body.data.email).toMatchObject({
    hasSmtpPassword: true,
    hasImapPassword: true,
    hasMailgunSigningKey: true,
  })
  const later = await Promise.all([
    ask('GET', `/api/v1/inboxes/${id}`),
    ask('GET', '/api/v1/inboxes'),
    ask('GET', '/api/tenant/audit-log'),
    ask('GET', '/api/v1/events?after=earliest'),
  ])
  expect(JSON.stringify([set.body, later.map(({ body }) => body)])).not.toMatch(/hunter2|mailSecrets/)
  const row = await stored()
  expect(row?.mailSecrets).toMatch(/^v1\./)
  expect(JSON.stringify(row)).not.toContain('hunter2')
  const removed = await setSecrets({ smtpPassword: null, imapPassword: null, mailgunSigningKey: null })
  expect(removed.body.data.email).toMatchObject({ hasSmtpPassword: false, hasMailgunSigningKey: false })
  expect((await stored())?.mailSecrets).toBeNull()
})

test('a password is valid for one host and user: another host does not get it [own.mail.secrets]', async () => {
  const address = newAddress()
  await setEmail({ address, smtp, imap })
  await setSecrets({ smtpPassword: 'hunter2', imapPassword: 'hunter2' })
  const samePort = await setEmail({ address, smtp: { ...smtp, port: 2525 }, imap })
  expect(samePort.body.data.email).toMatchObject({ hasSmtpPassword: true, hasImapPassword: true })
  const moved = await setEmail({ address, smtp: { ...smtp, host: 'evil.example.com' }, imap })
  expect(moved.body.data.email).toMatchObject({ hasSmtpPassword: false, hasImapPassword: true })
  await setEmail({ address, smtp, imap: { ...imap, user: 'other' } })
  expect((await stored())?.mailSecrets).toBeNull()
})

test('a password without its server is refused', async () => {
  const reply = await setSecrets({ smtpPassword: 'a', imapPassword: 'b' })
  expect([reply.status, problems(reply)]).toEqual([422, ['smtpPassword: server', 'imapPassword: server']])
})

test('the first address makes the key that signs the mail of the tenant, and a second one keeps it', async () => {
  const store = service.service.storage.forTenant(owner.tenant._id)
  expect(await store.mailKeys.find('mail')).toBeUndefined()
  await setEmail({ address: newAddress() })
  const key = await store.mailKeys.find('mail')
  expect(key?.sealed).toMatch(/^v1\./)
  await setEmail({ address: newAddress() })
  expect((await store.mailKeys.find('mail'))?.sealed).toBe(key?.sealed)
})

test('a message of another channel has no e-mail and no recipients', async () => {
  const body = { subject: 'Help', inboxId: id, message: { content: 'Hello' } }
  const made = await ask('POST', '/api/v1/conversations', body)
  const list = await ask('GET', `/api/v1/conversations/${made.body.data._id}/messages`)
  expect(list.body.data).toMatchObject([{ status: 'sent', email: null, recipients: [] }])
})
