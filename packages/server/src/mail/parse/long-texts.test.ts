import { expect, test } from 'vitest'
import { readMail } from './read-mail.ts'

const head = (type: string, more = '') =>
  `From: ada@example.com\r\nSubject: Lamp\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n${more}\r\n`
const long = (line: string, bytes = 3_000_000) => line.repeat(bytes / line.length)
const factsOf = async (mail: string) => (await readMail(Buffer.from(mail))).facts

test.each([
  ['lines', head('text/plain'), long('It is dark in the kitchen.\r\n'), /^It is dark/],
  ['lines of one letter', head('text/plain'), long('a\r\n'), /^a\na\n/],
  ['empty lines', head('text/plain'), `It is dark${long('\r\n')}`, /^It is dark$/],
  ['one line', head('text/plain'), long('dark '), /^dark dark/],
  ['HTML', head('text/html'), long('<p>It is dark</p>\r\n'), /^<p>It is dark<\/p>/],
  [
    'quoted-printable',
    head('text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable\r\n'),
    long('Gr=C3=BC=C3=9Fe=\r\n'),
    /^GrüßeGrüße/,
  ],
  [
    'base64',
    head('text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64\r\n'),
    long(`${Buffer.from('Grüße ').toString('base64').repeat(9)}\r\n`.slice(0, 74)),
    /^Gr/,
  ],
])('a text of 3 MB in %s is read as its beginning, and says so', async (_, header, body, expected) => {
  const { content, truncated } = await factsOf(header + body)
  expect(content.slice(0, 1000).trim()).toMatch(expected)
  expect(truncated).toBe(true)
})

const multipart = (text: string, file: string, more = '') =>
  [
    head('multipart/mixed; boundary="outer b"').trimEnd(),
    '',
    '--outer b',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    '',
    text,
    '--inner',
    'Content-Type: text/html',
    '',
    '<p>It is dark</p>',
    '--inner--',
    '--outer b',
    'Content-Type: text/csv; name=a.csv',
    'Content-Transfer-Encoding: base64',
    '',
    file,
    '--outer b--',
    more,
  ].join('\r\n')

test('the parts behind a long text stay whole, and a shorter one that is shown is not called truncated', async () => {
  const bytes = Buffer.alloc(900_000, 'file')
  const base64 = bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
  const mail = multipart(long('Dark --inner\r\n--innermost\r\n'), base64)
  const { facts, files } = await readMail(Buffer.from(mail))
  expect(facts).toMatchObject({ content: '<p>It is dark</p>', contentType: 'html', truncated: false })
  expect(files.map(({ filename }) => filename)).toEqual(['a.csv'])
  expect(Buffer.from(files[0]?.bytes ?? []).equals(bytes)).toBe(true)
})

test('a file with text is never shortened', async () => {
  const text = long('1,2,3,4,5,6,7,8,9,10,11,12\r\n', 600_000)
  const mail = `${head('multipart/mixed; boundary=b')}--b\r\n\r\nHello\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n${text}\r\n--b--\r\n`
  const { facts, files } = await readMail(Buffer.from(mail))
  expect(facts).toMatchObject({ content: 'Hello', truncated: false })
  expect(Buffer.from(files[0]?.bytes ?? []).toString()).toBe(text)
})
