import { expect, test } from 'vitest'
import { MailRefused } from '../../src/mail/parse/mail-refused.ts'
import { readMail } from '../../src/mail/parse/read-mail.ts'

// Small mails that once cost seconds of the parser, which reads the mails of all tenants. Each is read in far less than a
// second: the bound is several times what they need.

const people = 'From: Pat <pat@people.test>\r\nTo: help@shop.test\r\n'
const multipart = (parts: string, type = 'mixed') =>
  `${people}Content-Type: multipart/${type}; boundary=b\r\n\r\n${parts}`

async function costOf(
  raw: string,
): Promise<{ ms: number; read: Awaited<ReturnType<typeof readMail>> | string }> {
  const before = process.cpuUsage()
  const read = await readMail(Buffer.from(raw)).catch((error: unknown) => {
    if (error instanceof MailRefused) return error.reason
    throw error
  })
  const { user, system } = process.cpuUsage(before)
  return { ms: (user + system) / 1000, read }
}

const openWords = '=?a?Q?'
const marks = '\u0301\u0323'

test.each([
  ['a subject of words that never end', `${people}Subject: ${openWords.repeat(40_000)}\r\n\r\nhi`],
  ['a sender of words that never end', `From: ${openWords.repeat(10_000)} <a@b.test>\r\n\r\nhi`],
  [
    'a name of a file of words that never end',
    multipart(`--b\r\nContent-Type: application/x; name="${openWords.repeat(90_000)}"\r\n\r\nx\r\n--b--\r\n`),
  ],
  [
    'groups in groups',
    `${['From', 'To', 'Cc', 'Reply-To'].map((name) => `${name}: ${'a:'.repeat(30_000)}`).join('\r\n')}\r\n\r\nhi`,
  ],
  [
    'a report of blank lines',
    multipart(
      `--b\r\nContent-Type: message/delivery-status\r\n\r\n${' \r\n'.repeat(98_000)}--b--\r\n`,
      'report',
    ),
  ],
  [
    'boxes in boxes',
    `${people}Content-Type: text/html\r\n\r\n${'<div>'.repeat(500)}${'<b>x</b>'.repeat(7_000)}${'</div>'.repeat(500)}`,
  ],
  ['HTML of blanks', `${people}Content-Type: text/html\r\n\r\n<p>a${' '.repeat(60_000)}b</p>`],
  ['a text of marks', `${people}Content-Type: text/plain; charset=utf-8\r\n\r\na${marks.repeat(60_000)}b`],
])('%s costs the parser a moment', async (_, raw) => {
  await costOf(`${people}Content-Type: text/html\r\n\r\n<p>The sanitizer is loaded.</p>`)
  expect((await costOf(raw)).ms).toBeLessThan(1_500)
})

test('a million empty parts are refused while they are counted, not after they are built', async () => {
  const { ms, read } = await costOf(multipart('--b\r\n\r\n'.repeat(1_000_000)))
  expect(read).toBe('too_complex')
  expect(ms).toBeLessThan(1_500)
})

test('hundreds of parts of HTML cost as much as the message that shows the first of them', async () => {
  const part = `--b\r\nContent-Type: text/html\r\n\r\n${'<p>hello <b>you</b></p>\r\n'.repeat(1_000)}`
  const { ms, read } = await costOf(multipart(`${part.repeat(900)}--b--\r\n`))
  expect(read).toMatchObject({ facts: { truncated: true, contentType: 'html' } })
  expect(ms).toBeLessThan(5_000)
})

test.each([
  ['real@corp.test(x)evil.test', []],
  ['<real@corp.test(x)evil.test>', []],
  ['re(x)al@corp.test', []],
  ['Jane <a@b.test> (a note)', ['a@b.test']],
  ['a@b.test (Jane Roe)', ['a@b.test']],
  ['Ja(x)ne <a@b.test>', ['a@b.test']],
  ['Team: a@b.test, "x:y" <c@d.test>; e@f.test', ['a@b.test', 'c@d.test', 'e@f.test']],
])('texts that a comment divides are no address together: %s', async (from, expected) => {
  const { read } = await costOf(`From: ${from}\r\n\r\nhi`)
  expect(typeof read === 'string' ? read : read.facts.from.map(({ address }) => address)).toEqual(expected)
})
