import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashFile, hashMail, PassingHash } from './hash/hash-mail.ts'
import { bodyStartOf, mailIdentity } from './mail-identity.ts'
import { inTurn } from './store-mail.ts'

const inboxId = 'inb_1'
const head = 'From: Ada <ada@example.com>\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\nSubject: Lamp\r\n'
const cut = (text: string, ...cuts: number[]) => {
  const bytes = Buffer.from(text)
  const ends = [0, ...cuts, bytes.length]
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end))
}
const identityOf = async (text: string, ...cuts: number[]) => {
  const pieces = cut(text, ...cuts)
  return mailIdentity(pieces, { inboxId, ...hashMail(pieces, bodyStartOf(pieces)) })
}

test('the identity of a mail is that of its bytes, wherever the pieces of its arrival end', async () => {
  const text = `${head}\r\n${'It is dark. '.repeat(100_000)}`
  const whole = await identityOf(text)
  expect(whole.hash).toBe(createHash('sha256').update(text).digest('hex'))
  expect(await identityOf(text, 1)).toEqual(whole)
  expect(await identityOf(text, head.length, head.length + 1, head.length + 2, 900_000)).toEqual(whole)
})

test('large mails that arrive at once are each hashed as a whole, by their files and while they pass', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-hash-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const texts = ['a', 'b', 'c'].map((letter) => `${head}\r\n${letter.repeat(1_500_000)}\r\n\r\n`)
  const expected = texts.map((text) => hashMail([Buffer.from(text)], head.length + 2))
  const byFile = texts.map(async (text, index) => {
    const file = path.join(folder, String(index))
    await writeFile(file, text)
    return hashFile(file, head.length + 2)
  })
  const passing = texts.map(async (text) => {
    const hash = new PassingHash(head.length + 2)
    const passed: Uint8Array[] = []
    for await (const piece of hash.pass(inTurn(cut(text, 1, 700_000)))) passed.push(piece)
    expect(Buffer.concat(passed).toString() === text).toBe(true)
    return hash.end()
  })
  expect(await Promise.all(byFile)).toEqual(expected)
  expect(await Promise.all(passing)).toEqual(expected)
  expect(expected.map(({ hash }) => hash)).toEqual(
    texts.map((text) => createHash('sha256').update(text).digest('hex')),
  )
})

test('a file that is away is reported, and the next one is hashed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-hash-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'mail')
  await expect(hashFile(file, 0)).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(file, 'Hello')
  expect(await hashFile(file, 0)).toEqual(hashMail([Buffer.from('Hello')], 0))
})

test('without a Message-ID the From, the Subject and the body tell mails apart', async () => {
  const { dedupKey } = await identityOf(`${head}\r\nIt is dark`)
  const other = async (text: string) => (await identityOf(text)).dedupKey
  expect(await other(`X-Trace: 2\r\n${head}\r\nIt is dark`)).toBe(dedupKey)
  for (const changed of [
    `${head}\r\nIt is light`,
    `${head.replace('Lamp', 'Candle')}\r\nIt is dark`,
    `${head.replace('ada@', 'bob@')}\r\nIt is dark`,
  ])
    expect(await other(changed)).not.toBe(dedupKey)
})

test.each(['<>', '<fax>', 'fax@', '<a@b@c>', `<${'a'.repeat(900)}@b>`])(
  'a Message-ID that names no mail is none: %s',
  async (id) => {
    const { rfcMessageId, dedupKey } = await identityOf(`${head}Message-ID: ${id}\r\n\r\nIt is dark`)
    expect(rfcMessageId).toBeNull()
    expect(dedupKey).toBe((await identityOf(`${head}\r\nIt is dark`)).dedupKey)
  },
)

test('a Message-ID without a Date that can be read does not tell mails apart, and their bodies do', async () => {
  for (const date of ['', 'Date: today\r\n']) {
    const named = `From: fax@example.com\r\n${date}Message-ID: <fax@device>\r\n`
    const [first, second] = [await identityOf(`${named}\r\nOrder 1`), await identityOf(`${named}\r\nOrder 2`)]
    expect(first.rfcMessageId).toBe('fax@device')
    expect(first.dedupKey).not.toBe(second.dedupKey)
  }
})

test('the body is the same with other ends of lines and other newlines at its end, wherever pieces end', async () => {
  const body = 'One\r\n\r\nTwo\rThree'
  const { bodyHash } = await identityOf(`${head}\r\n${body}`)
  for (const same of [body.replaceAll('\r\n', '\n'), `${body}\r\n\r\n\n`]) {
    const text = `${head}\r\n${same}`
    for (const cut of [0, 1, 2, 3, 4, 5, 6, 7])
      expect((await identityOf(text, head.length + 2 + cut)).bodyHash).toBe(bodyHash)
  }
  expect((await identityOf(`${head}\r\n${body} `)).bodyHash).not.toBe(bodyHash)
})

test('with a Message-ID the body does not count for the first key, but for the second, and one that is used for another mail is no repeat', async () => {
  const named = `${head}Message-ID: <1@example.com>\r\n`
  const { dedupKey, rfcMessageId } = await identityOf(`${named}\r\nIt is dark`)
  expect(rfcMessageId).toBe('1@example.com')
  const footer = await identityOf(`${named}\r\nIt is dark [list footer]`)
  expect(footer.dedupKey).toBe(dedupKey)
  expect(footer.copyKey).not.toBe((await identityOf(`${named}\r\nIt is dark`)).copyKey)
  const otherMail = `${named.replace('ada@', 'bob@')}\r\nIt is dark`
  expect((await identityOf(otherMail)).dedupKey).not.toBe(dedupKey)
})
