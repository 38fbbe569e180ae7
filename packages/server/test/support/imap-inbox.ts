import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Dovecot, dovecotPassword } from './dovecot.ts'
import { makeMailInbox } from './mail-inbox.ts'
import type { RunningService } from './start-service.ts'

interface ImapServer {
  /** Takes TLS from the first byte. */
  port: number
  append?: Dovecot['append']
}

/** Makes a tenant whose inbox reads a mailbox of its own. */
export async function makeImapInbox(
  service: RunningService,
  { port, append }: ImapServer,
  settings: object = {},
) {
  const user = `u${randomUUID().slice(0, 8)}`
  const imap = { host: 'localhost', port, security: 'tls', user, ...settings }
  const inbox = await makeMailInbox(service, { imap })
  const path = `/api/v1/inboxes/${inbox.inboxId}`
  const setPassword = (imapPassword: string) =>
    inbox.ask('PUT', `${path}/email-credentials`, { imapPassword })
  const statusOf = async () => (await inbox.ask('GET', path)).body.data.email.imap.status
  return {
    ...inbox,
    user,
    imap,
    setPassword,
    statusOf,
    /** Lets the service sign in, and waits until it has opened the mailbox. */
    async open() {
      expect((await setPassword(dovecotPassword)).status).toBe(200)
      await expect.poll(statusOf).toMatchObject({ ok: true, error: null })
    },
    setImap: async (change: object | null) => {
      const email = { ...inbox.settings, imap: change === null ? null : { ...imap, ...change } }
      expect((await inbox.ask('PUT', path, { email })).status).toBe(200)
    },
    append: async (raw: string | Buffer, options?: { folder?: string; at?: Date }) =>
      append?.(user, raw, options),
    mailsOf: async () => (await inbox.ask('GET', '/api/v1/inbound-mails?limit=100')).body.data,
  }
}
