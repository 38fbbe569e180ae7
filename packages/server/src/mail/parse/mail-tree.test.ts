import { describe, expect, it } from 'vitest'
import { readHeaderValue } from './header-value.ts'
import { MailRefused } from './mail-refused.ts'
import { readMail } from './read-mail.ts'

const people = 'From: ada@example.com\r\nSubject: Lamp\r\nMIME-Version: 1.0\r\n'
const mixed = (...parts: (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from(`${people}Content-Type: multipart/mixed; boundary=b\r\n\r\n`),
    ...parts.flatMap((part) => [Buffer.from('--b\r\n'), Buffer.from(part), Buffer.from('\r\n')]),
    Buffer.from('--b--\r\n'),
  ])
const attached = (encoding: string, body: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=a.bin\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`,
    ),
    body,
  ])

const text = Buffer.from('a;b \r\n1;2\r\n\nlast line ends in itself')
const binary = Buffer.from([...Array.from({ length: 256 }, (_, byte) => byte), 13, 10, 45, 45, 98, 10, 0, 13])
const uuLine = (line: Buffer) => {
  const padded = Buffer.concat([line, Buffer.alloc(2)])
  const groups = Array.from({ length: Math.ceil(line.length / 3) }, (_, at) => {
    const bits = padded.readUIntBE(at * 3, 3)
    return [18, 12, 6, 0].map((shift) => String.fromCharCode(((bits >> shift) & 63) + 32)).join('')
  })
  return String.fromCharCode(line.length + 32) + groups.join('')
}
const uuencoded = (bytes: Buffer) => {
  const lines = Array.from({ length: Math.ceil(bytes.length / 45) }, (_, at) =>
    uuLine(bytes.subarray(at * 45, at * 45 + 45)),
  )
  return Buffer.from(['begin 644 a.bin', ...lines, '`', 'end'].join('\r\n'))
}
const printable = (bytes: Buffer) =>
  Buffer.from(
    bytes
      .toString('hex')
      .toUpperCase()
      .replace(/../g, '=$&')
      .replace(/(?:=..){20}/g, '$&=\r\n'),
  )

describe('a file of a mail', () => {
  const encodings: readonly (readonly [name: string, bytes: Buffer, part: Buffer])[] = [
    ['7bit', text, attached('7bit', text)],
    ['8bit', Buffer.from('Gr\u00fc\u00dfe\r\n'), attached('8bit', Buffer.from('Gr\u00fc\u00dfe\r\n'))],
    ['binary', binary.subarray(0, 256), attached('binary', binary.subarray(0, 256))],
    ['quoted-printable', binary, attached('quoted-printable', printable(binary))],
    [
      'quoted-printable, as text',
      Buffer.from('a = b\r\nno end'),
      attached('quoted-printable', Buffer.from('a =3D b \t\r\nno=\r\n end')),
    ],
    ['base64', binary, attached('base64', Buffer.from(binary.toString('base64')))],
    [
      'base64 whose lines are padded',
      Buffer.from('abcd'),
      attached('base64', Buffer.from('YQ==\r\nYg==\r\nY2Q=')),
    ],
    ['x-uuencode', binary, attached('x-uuencode', uuencoded(binary))],
    ['an encoding that nobody knows', text, attached('x-other', text)],
    ['no bytes but line ends', Buffer.from('\r\n\r\n'), attached('7bit', Buffer.from('\r\n\r\n'))],
  ]
  it.each(encodings)('is what was sent in %s, byte for byte', async (_, bytes, part) => {
    const { files } = await readMail(mixed('\r\nHello', part))
    expect(files.map((file) => Buffer.from(file.bytes).toString('hex'))).toEqual([bytes.toString('hex')])
  })

  it('that is a mail keeps every byte, so its signature stays valid', async () => {
    const inner =
      'From: eve@x.test\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx \r\n--c--\r\n'
    const { files } = await readMail(mixed('\r\nHello', `Content-Type: message/rfc822\r\n\r\n${inner}`))
    expect(files).toMatchObject([{ filename: 'Gr\u00fc\u00dfe.eml', contentType: 'message/rfc822' }])
    expect(Buffer.from(files[0]?.bytes ?? []).toString()).toBe(inner)
  })

  it('without a name gets the ending of its type', async () => {
    const part = (type: string) => `Content-Type: ${type}\r\n\r\nx`
    const { files } = await readMail(
      mixed(part('image/png'), part('text/calendar; method=REQUEST'), part('application/x-other')),
    )
    expect(files.map(({ filename }) => filename)).toEqual(['image.png', 'invitation.ics', null])
  })
})

describe('the words of a mail', () => {
  const contentOf = async (raw: Buffer | string) => (await readMail(Buffer.from(raw))).facts.content

  it.each([
    ['a multipart without a boundary', `${people}Content-Type: multipart/mixed\r\n\r\nplease call me`],
    [
      'a multipart whose parts never begin',
      `${people}Content-Type: multipart/mixed; boundary=q\r\n\r\nplease call me`,
    ],
    ['a text in Markdown', `${people}Content-Type: text/markdown\r\n\r\nplease call me`],
    ['a type without a subtype', `${people}Content-Type: text\r\n\r\nplease call me`],
    ['a text in Markdown between files', mixed('Content-Type: text/x-markdown\r\n\r\nplease call me')],
  ])('are shown that stand in %s', async (_, raw) => {
    expect(await contentOf(raw)).toBe('please call me')
    expect((await readMail(Buffer.from(raw))).files).toEqual([])
  })

  const alternative = (...parts: string[]) =>
    mixed(
      `Content-Type: multipart/alternative; boundary=c\r\n\r\n${parts.map((part) => `--c\r\n${part}\r\n`).join('')}--c--`,
    )
  it('are shown of two alternatives of one type, unless one holds the other', async () => {
    const plain = (words: string) => `Content-Type: text/plain\r\n\r\n${words}`
    expect(await contentOf(alternative(plain('It does not exist'), plain('Lamp')))).toBe(
      'It does not exist\n\nLamp',
    )
    expect(await contentOf(alternative(plain('The  lamp'), plain('The lamp is broken')))).toBe(
      'The lamp is broken',
    )
  })

  it('are ended by the boundary around a part that never ends', async () => {
    const inner = 'Content-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n\r\nwords'
    const { facts, files } = await readMail(mixed(inner, 'Content-Type: text/csv; name=a.csv\r\n\r\n1,2'))
    expect(facts.content).toBe('words')
    expect(files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['1,2'])
  })

  it('keep their pasted pictures, which are files that stand in their places', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex')
    const image = (type: string) => `<img src="data:image/${type};base64,${png.toString('base64')}" alt="P">`
    const raw = mixed(
      'Content-Type: application/pdf\r\n\r\nx',
      `Content-Type: text/html\r\n\r\n<p>See ${image('png')} ${image('svg+xml')} <img src="data:file-0"> data:image/png;base64,AAAA</p>`,
    )
    const { facts, files } = await readMail(raw)
    expect(files).toMatchObject([
      { isInline: false },
      { filename: 'image.png', contentType: 'image/png', isInline: true },
    ])
    expect(Buffer.from(files[1]?.bytes ?? [])).toEqual(png)
    expect(facts.content).toMatch(
      /^<p>See <img src="\/api\/v1\/attachments\/att_-+1" alt="P" \/> P {2}data:image\/png;base64,AAAA<\/p>$/,
    )
  })

  it('stand below a screenshot of more bytes than a message has', async () => {
    const shot = Buffer.alloc(900_000, 'screen').toString('base64').replace(/.{76}/g, '$&\r\n')
    const { facts, files } = await readMail(
      Buffer.from(
        `${people}Content-Type: text/html\r\n\r\n<p><img src='data:image/png;base64,${shot}'></p><p>The end</p>`,
      ),
    )
    expect(files).toMatchObject([{ size: 900_000, isInline: true }])
    expect(facts).toMatchObject({ content: expect.stringContaining('<p>The end</p>'), truncated: false })
  })
})

describe('the structure of a mail', () => {
  it('is refused beyond 1,000 parts and 100 levels', async () => {
    const deep = Array.from(
      { length: 120 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    )
    await expect(readMail(Buffer.from(people + deep.join('')))).rejects.toThrow(MailRefused)
    await expect(readMail(mixed(...Array.from({ length: 1_100 }, () => '\r\nx')))).rejects.toThrow(
      MailRefused,
    )
  })
})

describe('a header with parameters', () => {
  it.each([
    ['attachment; filename=My file.pdf', 'My file.pdf'],
    ['attachment; filename="a;\\"b\\".txt"; size=3', 'a;"b".txt'],
    ['attachment; filename="C:\\dir\\a.txt"', 'C:\\dir\\a.txt'],
    ["attachment; filename*=utf-8'en'Gr%C3%BC%C3%9Fe.txt; filename=x", 'Gr\u00fc\u00dfe.txt'],
    ["attachment; filename*1*=%C3%9Fe; filename*0*=utf-8''Gr%C3%BC; filename*2=.txt", 'Gr\u00fc\u00dfe.txt'],
    ['attachment; filename*0="long "; filename*1="name.txt"', 'long name.txt'],
    ["attachment; filename*=iso-8859-1''Gr%FC%DFe.txt", 'Gr\u00fc\u00dfe.txt'],
    ['attachment; filename="no end.txt', 'no end.txt'],
    ['attachment; filename = a.txt (a comment)', 'a.txt'],
  ])('%s names its file', (header, name) => {
    expect(readHeaderValue(header)).toMatchObject({ value: 'attachment', params: { filename: name } })
  })
})
