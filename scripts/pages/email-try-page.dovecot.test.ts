import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findLastingPort } from '../../packages/server/test/support/free-port.ts'
import { serverProgram, startProgram } from '../../packages/server/test/support/programs.ts'
import { openPageShell } from './console.ts'
import { codeBlocks, readPage } from './page.ts'

// Ten minutes of a person in seconds: only the ports are others, and the waits for what a person watches are added.

const page = readPage('docs/email-try.md')
const atEnd: (() => unknown)[] = []
afterAll(async () => {
  for (const end of atEnd.reverse()) await end()
})

const mailbox = 'curl -sS --cacert "$box/cert.pem" --user support:secret-of-the-mailbox'
const dovecotListens = `${mailbox} --retry 60 --retry-delay 1 --retry-connrefused imaps://localhost:1993/ > "$box/folders"`
const processed = (mails: number) =>
  `until [ "$(crm mails list --json status | grep -c processed)" = ${mails} ]; do :; done`
const replySent = 'until curl -s http://127.0.0.1:3000/dev/mail.json | grep -q Message-ID; do :; done'

/** The page's commands with the waits between them. */
function scriptOf(blocks: readonly string[]): string {
  let mails = 0
  return blocks
    .join('\n')
    .replace(/^dovecot .*&$/m, `$&\ndovecot=$!\n${dovecotListens}`)
    .replaceAll(/^send ".*$/gm, (line) => `${line}\n${processed(++mails)}`)
    .replace(/^crm conversations reply .*$/m, `$&\n${replySent}`)
}

it('docs/email-try.md: the mailbox, the mail, the reply and the reply to it work as written', async () => {
  const ports = { '1993': String(await findLastingPort()) }
  const replace: Record<string, string> = {
    ...ports,
    'dovecot -F': `"${process.env['CRM_TEST_DOVECOT_BINARY']}" -F`,
  }
  const shell = openPageShell({ env: { CRM_PASSWORD: 'correct horse battery' }, replace })
  atEnd.push(() => shell.close())
  const dataDir = join(shell.folder, 'data')
  mkdirSync(dataDir)
  const server = await startProgram(serverProgram, ['start', '--dev'], { PORT: '0', CRM_DATA_DIR: dataDir })
  atEnd.push(() => server.kill('SIGTERM'))
  replace['http://127.0.0.1:3000'] = server.url
  const [start, ...blocks] = codeBlocks(page, 'sh')
  expect(start?.trim()).toBe('npm start')
  // A terminal shows the file in the thread; here the thread goes into a pipe.
  const file = 'crm conversations messages "$conversation" --json | grep Rechnung.txt'
  const command = `set -e\n${scriptOf(blocks)}\n${file}\nkill "$dovecot"; wait "$dovecot"`
  const expected = ['juergen@example.com', 'Grüß Gott', 'Rechnung.txt', 'Schöne Grüße', 'Vielen Dank']
  await shell.run({ command, expected })
})
