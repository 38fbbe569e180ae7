import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { mailIdentity } from './mail-identity.ts'

const inboxId = 'inb_1'
const head = 'From: Ada <ada@example.com>\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\nSubject: Lamp\r\n'
const identityOf = (text: string, ...cuts: number[]) => {
  const bytes = Buffer.from(text)
  const ends = [0, ...cuts, bytes.length]
  const pieces = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end))
  return mailIdentity({ inboxId, pieces })
}

test('the identity of a mail is that of its bytes, wherever the pieces of its arrival end', async () => {
  const text = `${head}\r\n${'It is dark. '.repeat(100_000)}`
  const whole = await identityOf(text)
  expect(whole.hash).toBe(createHash('sha256').update(text).digest('hex'))
  expect(await identityOf(text, 1)).toEqual(whole)
  expect(await identityOf(text, head.length, head.length + 1, head.length + 2, 900_000)).toEqual(whole)
})

test('without a Message-ID the From, the Date, the Subject and the body tell mails apart', async () => {
  const { dedupKey } = await identityOf(`${head}\r\nIt is dark`)
  const other = async (text: string) => (await identityOf(text)).dedupKey
  expect(await other(`X-Trace: 2\r\n${head}\r\nIt is dark`)).toBe(dedupKey)
  for (const changed of [
    `${head}\r\nIt is light`,
    `${head.replace('Lamp', 'Candle')}\r\nIt is dark`,
    `${head.replace('10:00', '11:00')}\r\nIt is dark`,
    `${head.replace('ada@', 'bob@')}\r\nIt is dark`,
  ])
    expect(await other(changed)).not.toBe(dedupKey)
})

test('with a Message-ID the body does not count, and one that is used for another mail is no repeat', async () => {
  const named = `${head}Message-ID: <1@example.com>\r\n`
  const { dedupKey, rfcMessageId } = await identityOf(`${named}\r\nIt is dark`)
  expect(rfcMessageId).toBe('1@example.com')
  expect((await identityOf(`${named}\r\nIt is dark [list footer]`)).dedupKey).toBe(dedupKey)
  const otherMail = `${named.replace('ada@', 'bob@')}\r\nIt is dark`
  expect((await identityOf(otherMail)).dedupKey).not.toBe(dedupKey)
})
