import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { call, registerTenant } from './call.ts'
import { dovecotPassword, startDovecot } from './dovecot.ts'
import { makeCertificate } from './https-receiver.ts'
import { type Program, serverProgram, startProgram } from './programs.ts'

const mailCount = 20
/** Twice the 30 seconds that the service promises, because a busy machine takes longer; a unit test holds it to its times. */
const takeoverMs = 60_000

/**
 * Kills the process that reads a mailbox, with SIGKILL and in the middle. The second process runs beside it, or, on an SQLite file,
 * which belongs to one process, starts after its death.
 */
export async function killMailboxHolder(
  variables: Record<string, string>,
  { isBeside }: { isBeside: boolean },
): Promise<void> {
  const removals: (() => Promise<unknown> | unknown)[] = []
  try {
    const certificate = await makeCertificate()
    removals.push(() => certificate.remove())
    const dovecot = await startDovecot(certificate)
    removals.push(dovecot.stop)
    const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-takeover-'))
    removals.push(() => rm(dataDir, { recursive: true, force: true }))
    const start = async (): Promise<Program> => {
      const program = await startProgram(serverProgram, ['start'], {
        PORT: '0',
        CRM_DATA_DIR: dataDir,
        CRM_LOG_LEVEL: 'error',
        CRM_MAIL_ALLOW_CIDRS: '127.0.0.0/8',
        CRM_MAIL_CA_FILE: certificate.caFile,
        ...variables,
      })
      removals.push(() => program.kill('SIGKILL'))
      return program
    }
    const first = await start()
    const owner = await registerTenant(first.url)
    const ask = (url: string, method: string, resource: string, body?: unknown) =>
      call(url, { method, path: resource, token: owner.token, ...(body !== undefined && { body }) })
    const inboxPath = `/api/v1/inboxes/${(await ask(first.url, 'GET', '/api/v1/inboxes')).body.data[0]._id}`
    const imap = { host: 'localhost', port: dovecot.port, security: 'tls', user: 'support' }
    await ask(first.url, 'PUT', inboxPath, { email: { imap } })
    await ask(first.url, 'PUT', `${inboxPath}/email-credentials`, { imapPassword: dovecotPassword })
    const isOpen = async () => (await ask(first.url, 'GET', inboxPath)).body.data.email.imap.status.ok
    await expect.poll(isOpen).toBe(true)
    // The sign-ins of the service idle; those of the tests end by themselves before they have read a mail.
    const before = signIns(dovecot.log())
    const beside = isBeside ? await start() : undefined
    for (let count = 1; count <= mailCount; count++) await dovecot.append('support', mailOf(count))
    const ownSignIns = mailCount
    // Stored is enough: making messages of them has a lease of its own, which lasts longer.
    const stored = async (url: string) =>
      (await ask(url, 'GET', '/api/v1/inbound-mails?limit=100')).body.data
        .map(({ rfcMessageId }: { rfcMessageId: string }) => Number.parseInt(rfcMessageId, 10))
        .sort((a: number, b: number) => a - b)
    await expect.poll(async () => (await stored((beside ?? first).url)).length).toBeGreaterThan(0)
    await first.kill('SIGKILL')
    const second = beside ?? (await start())
    await dovecot.append('support', mailOf(mailCount + 1))
    const all = Array.from({ length: mailCount + 1 }, (_, index) => index + 1)
    await expect.poll(() => stored(second.url), { timeout: takeoverMs }).toEqual(all)
    // One sign-in of the second process: while the first one lived, it had none.
    expect(signIns(dovecot.log()) - before - ownSignIns - 1).toBe(1)
  } finally {
    for (const remove of removals.reverse()) await remove()
  }
}

const signIns = (log: readonly string[]) =>
  log.filter((line) => line.includes('Login: user=<support>')).length

function mailOf(count: number): string {
  return `From: ada@example.com\r\nSubject: ${count}\r\nMessage-ID: <${count}@example.com>\r\n\r\nHello`
}
