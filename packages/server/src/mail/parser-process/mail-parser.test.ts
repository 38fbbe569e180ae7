import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { parsersOf } from '../../../test/support/parsers-of.ts'
import { MailRefused } from '../parse/mail-refused.ts'
import { createMailParser, type MailParser, type ParsedMail, ParserKilled } from './mail-parser.ts'

let parser: MailParser | undefined
afterEach(() => parser?.close())

const mailOf = (...lines: string[]) => lines.join('\r\n')

async function* inPieces(text: string | Buffer): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000)
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

const withFile = mailOf(
  'From: Ada <ada@example.com>',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  '',
  'Hello',
  '--b',
  'Content-Type: application/pdf; name=a.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('the bytes of a file').toString('base64'),
  '--b--',
)
const simple = mailOf('From: bob@example.com', '', 'Hi')

describe('the parser of mails', () => {
  it('reads a mail from its file, and says so when the file is away', async () => {
    parser = createMailParser()
    const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-parser-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = path.join(folder, 'mail')
    const { parse } = parser
    await writeFile(file, simple)
    expect(await parse({ file }, async ({ facts }) => facts.content)).toBe('Hi')
    const [running] = parsersOf(process.pid)
    const missing = parse({ file: `${file}-2` }, async () => 'read')
    await expect(missing).rejects.toThrow('The bytes of a mail cannot be read: ENOENT')
    expect(await parse(inPieces(simple), async ({ facts }) => facts.content)).toBe('Hi')
    expect(parsersOf(process.pid)).toEqual([running])
  })

  it('returns the facts and the files of one mail after the other', async () => {
    parser = createMailParser()
    const { parse } = parser
    const [first, second] = await Promise.all([
      parse(inPieces(withFile), async ({ facts, file }) => ({ facts, bytes: await bytesOf(file(0)) })),
      parse(inPieces(simple), async ({ facts }) => facts),
    ])
    expect(first.facts).toMatchObject({ content: 'Hello', files: [{ filename: 'a.pdf', isInline: false }] })
    expect(first.bytes.toString()).toBe('the bytes of a file')
    expect(second).toMatchObject({ content: 'Hi', from: [{ address: 'bob@example.com' }], files: [] })
  })

  it('ends a process that takes longer than a mail may, and reads the next one in another process', async () => {
    parser = createMailParser({ processes: 1 })
    const { parse } = parser
    await parse(inPieces(simple), async () => 'started')
    const hung: number[] = []
    const stuck = parse(
      inPieces(withFile),
      ({ file }) => {
        for (const pid of parsersOf(process.pid)) {
          process.kill(pid, 'SIGSTOP')
          hung.push(pid)
        }
        return bytesOf(file(0))
      },
      { jobMs: 4_000 },
    )
    await expect(stuck).rejects.toMatchObject({ reason: 'parse_timeout' })
    expect(hung).toHaveLength(1)
    expect(await parse(inPieces(simple), async ({ facts }) => facts.content)).toBe('Hi')
    expect(parsersOf(process.pid)).not.toContain(hung[0])
  })

  it('counts the time of its process alone, and not what its user does before and between its files', async () => {
    parser = createMailParser({ processes: 1 })
    const { parse } = parser
    await parse(inPieces(simple), async () => 'started')
    const [running] = parsersOf(process.pid)
    const jobMs = 3_000
    const longer = () => setTimeout(jobMs + 200)
    async function* slowBytes(): AsyncGenerator<Uint8Array> {
      await longer()
      yield* inPieces(withFile)
    }
    const use = async ({ file }: ParsedMail) => {
      await longer()
      const bytes = await bytesOf(file(0))
      await longer()
      return bytes.toString()
    }
    expect(await parse(slowBytes(), use, { jobMs })).toBe('the bytes of a file')
    expect(parsersOf(process.pid)).toEqual([running])
  })

  it('refuses a mail of too many parts or levels and reads the next one', async () => {
    parser = createMailParser()
    const { parse } = parser
    const parts = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(1_500)}--b--`
    const levels = Array.from(
      { length: 300 },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
    ).join('')
    for (const hostile of [parts, levels]) {
      const refused = parse(inPieces(hostile), async () => 'read')
      await expect(refused).rejects.toThrow(MailRefused)
      await expect(refused).rejects.toMatchObject({ reason: 'too_complex' })
    }
    expect(await parse(inPieces(simple), async ({ facts }) => facts.content)).toBe('Hi')
  })

  it('does not refuse a mail whose process somebody else has killed, and reads it in another one', async () => {
    parser = createMailParser()
    const { parse } = parser
    expect(await parse(inPieces(simple), async ({ facts }) => facts.content)).toBe('Hi')
    const killed = parse(inPieces(withFile), async ({ file }) => {
      for (const pid of parsersOf(process.pid)) process.kill(pid, 'SIGKILL')
      return bytesOf(file(0))
    })
    await expect(killed).rejects.toThrow(ParserKilled)
    expect(await parse(inPieces(simple), async ({ facts }) => facts.content)).toBe('Hi')
  })

  it('reads a mail of 25 MB, and does not refuse it when its process is killed while it arrives', async () => {
    parser = createMailParser()
    const { parse } = parser
    const bytes = Buffer.alloc(18 * 1024 * 1024)
      .toString('base64')
      .replaceAll(/.{76}/g, '$&\r\n')
    const large = withFile.replace(/\r\n[A-Za-z0-9=]+\r\n--b--/, `\r\n${bytes}\r\n--b--`)
    async function* killedHalfway(): AsyncGenerator<Uint8Array> {
      let count = 0
      for await (const piece of inPieces(large)) {
        count += 1
        if (count === 100) for (const pid of parsersOf(process.pid)) process.kill(pid, 'SIGKILL')
        yield piece
      }
    }
    await expect(parse(killedHalfway(), async () => 'read')).rejects.toThrow(ParserKilled)
    expect(await parse(inPieces(large), async ({ facts }) => facts.files[0]?.size)).toBe(18 * 1024 * 1024)
  })

  it('reads the next mail after the use of one has failed', async () => {
    parser = createMailParser()
    const failed = parser.parse(inPieces(withFile), async () => Promise.reject(new Error('no storage')))
    await expect(failed).rejects.toThrow('no storage')
    expect(await parser.parse(inPieces(simple), async ({ facts }) => facts.content)).toBe('Hi')
  })

  it('keeps its process after the use of a mail has failed, except in the middle of a file', async () => {
    parser = createMailParser()
    const { parse } = parser
    const large = withFile.replace(/\r\n[A-Za-z0-9=]+\r\n--b--/, `\r\n${'QUJD'.repeat(100_000)}\r\n--b--`)
    await parse(inPieces(simple), async () => 'read')
    const [first] = parsersOf(process.pid)
    await expect(parse(inPieces(large), () => Promise.reject(new Error('a conflict')))).rejects.toThrow()
    expect(await parse(inPieces(large), ({ file }) => bytesOf(file(0)))).toHaveLength(300_000)
    expect(parsersOf(process.pid)).toEqual([first])
    const leaveFile = parse(inPieces(large), async ({ file }) => {
      for await (const _ of file(0)) return 'left'
      return 'empty'
    })
    expect(await leaveFile).toBe('left')
    expect(await parse(inPieces(simple), async ({ facts }) => facts.content)).toBe('Hi')
    expect(parsersOf(process.pid)).not.toContain(first)
  })

  it('writes the files of a mail into its own folder, and nowhere else', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'crmkit-spool-'))
    onTestFinished(() => rm(root, { recursive: true }))
    const folderOf = (place: number) => path.join(root, String(place))
    await mkdir(folderOf(0))
    await mkdir(folderOf(1))
    parser = createMailParser({ processes: 1, spool: { folderOf } })
    const own = path.join(folderOf(0), 'file')
    const refused: unknown[] = []
    await parser.parse(inPieces(withFile), async ({ spooled, facts }) => {
      expect(spooled?.place).toBe(0)
      await spooled?.write(0, own)
      expect(await readFile(own, 'utf8')).toBe('the bytes of a file')
      expect(facts.files[0]?.size).toBe(19)
      for (const elsewhere of [
        path.join(folderOf(1), 'file'),
        path.join(root, 'file'),
        path.join(folderOf(0), '..', 'file'),
        path.join(tmpdir(), path.basename(root), 'file'),
        // It may make files, and change none.
        own,
      ])
        await spooled?.write(0, elsewhere).catch((error: NodeJS.ErrnoException) => refused.push(error.code))
    })
    const denied = 'ERR_ACCESS_DENIED'
    expect(refused).toEqual([denied, denied, denied, denied, 'EEXIST'])
    expect(await readdir(root, { recursive: true })).toEqual(['0', '1', path.join('0', 'file')])
    expect(await parser.parse(inPieces(simple), async ({ facts }) => facts.content)).toBe('Hi')
  })

  it('ends a process that writes more than it has announced', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'crmkit-spool-'))
    onTestFinished(() => rm(root, { recursive: true }))
    parser = createMailParser({ processes: 1, spool: { folderOf: () => root } })
    const file = path.join(root, 'file')
    const writing = parser.parse(inPieces(withFile), async ({ spooled }) => {
      for (const pid of parsersOf(process.pid)) process.kill(pid, 'SIGSTOP')
      // It stands for the process, which goes on writing.
      await writeFile(file, Buffer.alloc(20))
      await spooled?.write(0, file)
    })
    await expect(writing).rejects.toMatchObject({ reason: 'too_complex' })
    expect(await parser.parse(inPieces(simple), async ({ facts }) => facts.content)).toBe('Hi')
  })

  it('takes mails out of the JSON and the forms of providers', async () => {
    parser = createMailParser()
    const { unwrap } = parser
    const postmark = JSON.stringify({ RawEmail: simple, OriginalRecipient: 'Help@Acme.test', From: 'x' })
    const mailgun = new URLSearchParams({
      'body-mime': simple,
      recipient: 'help@acme.test',
      sender: 'bob@example.com',
      timestamp: '1',
      token: 't',
      signature: 's',
    }).toString()
    const envelope = JSON.stringify({ to: ['help@acme.test'], from: 'bob@example.com' })
    const sendGrid = mailOf(
      '--x',
      'Content-Disposition: form-data; name="email"',
      '',
      simple,
      '--x',
      'Content-Disposition: form-data; name="envelope"',
      '',
      envelope,
      '--x--',
      '',
    )
    const taken = [
      await unwrap([Buffer.from(postmark)], 'application/json; charset=utf-8'),
      await unwrap([Buffer.from(mailgun)], 'application/x-www-form-urlencoded'),
      await unwrap([Buffer.from(sendGrid)], 'multipart/form-data; boundary=x'),
    ]
    for (const { mail } of taken) expect(Buffer.concat(mail).toString()).toBe(simple)
    expect(taken.map(({ envelope }) => envelope)).toEqual([
      { from: null, to: ['help@acme.test'] },
      { from: 'bob@example.com', to: ['help@acme.test'] },
      { from: 'bob@example.com', to: ['help@acme.test'] },
    ])
    expect(taken.map(({ signature }) => signature)).toEqual([
      null,
      { timestamp: '1', token: 't', signature: 's' },
      null,
    ])
  })

  it('refuses bodies without a mail', async () => {
    parser = createMailParser()
    const bodies: [body: string, type: string][] = [
      ['{', 'application/json'],
      ['[]', 'application/json'],
      ['{"RawEmail":7}', 'application/json'],
      ['recipient=a', 'application/x-www-form-urlencoded'],
      ['--x--', 'multipart/form-data; boundary=x'],
      ['', 'multipart/form-data'],
    ]
    for (const [body, type] of bodies) {
      await expect(parser.unwrap([Buffer.from(body)], type)).rejects.toMatchObject({ reason: 'parse_failed' })
    }
  })
})
