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
