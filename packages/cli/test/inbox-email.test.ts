import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, makeMachine } from './support/run-crm.ts'

it.skipIf(!hasPseudoTerminal)(
  'inboxes email set asks on a terminal for the server that sends, for the mailbox, and for both passwords',
  async () => {
    const baseUrl = await startServer()
    const machine = makeMachine()
    const flags = ['--base-url', baseUrl, '--tenant', 'Acme', '--email', 'ada@acme.test', '--quiet']
    const made = await machine.run(['init', ...flags], { env: { CRM_PASSWORD: 'correct horse battery' } })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const id = (await machine.run(['inboxes', 'list', '--quiet'])).stdout.trim()
    const { code, screen } = await machine.runInTerminal(['inboxes', 'email', 'set', id], {
      responses: [
        ['Address of the inbox', 'support@example.com\r'],
        // The arrow leads from the relay to a server of one's own.
        ['How do replies leave?', '\u001b[B\r'],
        ['Server', 'smtp.example.com:587\r'],
        ['Name to sign in with', '\r'],
        ['Read mail from a mailbox over IMAP?', 'y\r'],
        ['Server of the mailbox', 'imap.example.com:993\r'],
        ['Name to sign in to the mailbox with', 'ada\r'],
        ['Password of support@example.com at smtp.example.com', 'secret-one\r'],
        ['Password of ada at imap.example.com', 'secret-two\r'],
      ],
      columns: 200,
      env: { NO_COLOR: '1' },
    })
    expect(screen).toContain('Changed the e-mail of the inbox.')
    expect(code).toBe(0)
    expect(screen).not.toMatch(/secret-(one|two)/)
    const inbox = JSON.parse((await machine.run(['inboxes', 'get', id, '--json'])).stdout)
    expect(inbox.email).toMatchObject({
      address: 'support@example.com',
      transport: 'smtp',
      smtp: { host: 'smtp.example.com', port: 587, security: 'starttls', user: 'support@example.com' },
      imap: { host: 'imap.example.com', port: 993, security: 'tls', user: 'ada', folder: 'INBOX' },
      hasSmtpPassword: true,
      hasImapPassword: true,
    })
  },
  120_000,
)

it('inboxes email set changes the signature, the automatic reply and the rules of mail that comes in, and keeps the others', async () => {
  const baseUrl = await startServer()
  const machine = makeMachine()
  const flags = ['--base-url', baseUrl, '--tenant', 'Acme', '--email', 'ada@acme.test', '--quiet']
  await machine.run(['init', ...flags], { env: { CRM_PASSWORD: 'correct horse battery' } })
  const id = (await machine.run(['inboxes', 'list', '--quiet'])).stdout.trim()
  const file = (name: string, text: string) => {
    const at = path.join(machine.directory, name)
    writeFileSync(at, text)
    return at
  }
  const set = async (...options: string[]) => {
    const { code, stderr } = await machine.run(['inboxes', 'email', 'set', id, ...options])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return JSON.parse((await machine.run(['inboxes', 'get', id, '--json'])).stdout).email
  }
  const mailbox = ['--imap', 'imap.example.com:993', '--imap-user', 'ada']
  await set(
    '--address',
    'help@example.com',
    ...mailbox,
    '--imap-password-file',
    file('password', 'secret-one\n'),
  )
  const email = await set(
    ...['--signature-file', file('signature.md', '**{{inbox.name}}**\n')],
    ...['--auto-reply-file', file('reply.md', 'We have it.\n')],
    ...['--authserv-id', 'mx.example.com', 'mx2.example.com', '--reopen-days', '14'],
    ...['--imap-since', '2026-11-01T00:00:00.000Z', '--mailgun-key-file', file('key', 'secret-two\n')],
  )
  expect(email).toMatchObject({
    address: 'help@example.com',
    signature: '**{{inbox.name}}**',
    autoReply: { enabled: true, content: 'We have it.' },
    authservIds: ['mx.example.com', 'mx2.example.com'],
    reopenDays: 14,
    imap: { user: 'ada', since: '2026-11-01T00:00:00.000Z' },
    hasImapPassword: true,
  })
  expect(await set('--authserv-id', 'none', '--auto-reply', 'off')).toMatchObject({
    signature: '**{{inbox.name}}**',
    autoReply: { enabled: false, content: 'We have it.' },
    authservIds: [],
    reopenDays: 14,
  })
}, 120_000)

it('inboxes email test names the server that checked the last mails, and how to believe it', async () => {
  const baseUrl = await startServer()
  const machine = makeMachine()
  const flags = ['--base-url', baseUrl, '--tenant', 'Acme', '--email', 'ada@acme.test', '--quiet']
  await machine.run(['init', ...flags], { env: { CRM_PASSWORD: 'correct horse battery' } })
  const id = (await machine.run(['inboxes', 'list', '--quiet'])).stdout.trim()
  const server = ['--transport', 'smtp', '--smtp', 'nowhere.invalid:587', '--smtp-user', 'ada']
  await machine.run(['inboxes', 'email', 'set', id, '--address', 'help@acme.test', ...server])
  const made = JSON.parse((await machine.run(['inboxes', 'email', 'token', id, '--json'])).stdout)
  const head = [
    'Received: from a.example by mx.acme.test with ESMTPS id 1',
    'Authentication-Results: mx.acme.test; dmarc=pass header.from=example.com',
  ]
  for (let index = 0; index < 18; index += 1) {
    const fields = [...head, `From: ada${index}@example.com`, `Message-ID: <${index}@example.com>`]
    const body = [...fields, 'Date: Sun, 29 Nov 2026 12:00:00 +0000', '', 'Hi'].join('\r\n')
    const headers = { 'Content-Type': 'message/rfc822' }
    const url = `${baseUrl}/api/v1/inbound/email/${made.inboundToken}`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  }
  const tested = await machine.run(['inboxes', 'email', 'test', id])
  expect(tested.code).toBe(1)
  expect(tested.stdout).toContain('The last mails were checked by mx.acme.test: --authserv-id mx.acme.test')
})
