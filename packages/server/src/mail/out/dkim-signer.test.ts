import { createHook } from 'node:async_hooks'
import { generateKeyPairSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import LibrarySigner from 'nodemailer/lib/dkim'
import MailComposer from 'nodemailer/lib/mail-composer'
import { expect, test } from 'vitest'
import { verifiedDkim } from '../../../test/support/verify-dkim.ts'
import { signWithDkim } from './dkim-signer.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const published = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
const key = { domain: 'shop.example', selector: 'crm1', privateKey }

/** The same numbers in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const words = [
  'lamp',
  'Grüße',
  '灯',
  '🙂',
  'a'.repeat(90),
  '\t',
  '  ',
  'Ω',
  '=?utf-8?',
  'שלום',
  '.',
  'From ',
  '\u00a0',
]

/** A mail as the service composes one, with fields of any length in any language. */
function composedMail(seed: number): Promise<Buffer> {
  const random = randomNumbers(seed)
  const text = (most: number) =>
    Array.from({ length: random(most) }, () => words[random(words.length)]).join(
      [' ', '', '\r\n', '\n'][random(4)],
    )
  const ids = Array.from(
    { length: random(30) },
    (_, index) => `<${index}.${'x'.repeat(random(60))}@a.example>`,
  )
  return new MailComposer({
    from: { name: text(4), address: 'help@shop.example' },
    to: Array.from({ length: 1 + random(40) }, (_, index) => ({
      name: text(3),
      address: `${index}@b.example`,
    })),
    subject: text(40),
    references: ids,
    headers: { 'X-Loop': text(5), 'List-Id': '  <a.b>\t ' },
    text: text(200),
    ...(random(2) === 1 && { html: `<p>${text(100)}</p>` }),
    ...(random(3) === 1 && {
      attachments: [{ filename: `${text(3)}.txt`, content: Buffer.from(text(300)) }],
    }),
  })
    .compile()
    .build()
}

const field = 'From: help@shop.example\r\nsubject :  Two\t words \r\n'
const strangeMails = [
  `${field}\r\n`,
  `${field}\r\nNo end of a line`,
  `${field}\r\n\r\n\r\n`,
  `${field}\r\nBlanks \t \r\n \r\n\r\n`,
  `${field}\r\nA lone\rreturn and a lone\nfeed\r`,
  `${field}Subject: Another one\r\nReferences:\r\n\t<a@b>\r\n  <c@d>\r\n\r\nText\r\n`,
  `${field}To: Gr\u00fc\u00dfe <a@b.example>\r\n\r\nText\r\n`,
  `${field.replaceAll('\r\n', '\n')}\nText with feeds alone\n`,
  field,
  'Text',
  '',
]

function inPieces(mail: Buffer, size: number): Readable {
  const count = Math.ceil(mail.length / size)
  return Readable.from(
    Array.from({ length: count }, (_, index) => mail.subarray(index * size, (index + 1) * size)),
    { objectMode: false },
  )
}

function signedByLibrary(mail: Buffer, { domain, selector } = key): Promise<Buffer> {
  const signer = new LibrarySigner({ domainName: domain, keySelector: selector, privateKey })
  return buffer(signer.sign(inPieces(mail, 65_536)))
}

test('a mail is signed byte for byte as the library does it, and the signature is right', async () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const mail = await composedMail(seed)
    const signed = await buffer(signWithDkim(inPieces(mail, 1 + ((seed * 997) % 5_000)), key))
    expect(signed.equals(await signedByLibrary(mail)), `seed ${seed}`).toBe(true)
    // A connection sends each line with both characters.
    const sent = signed.toString('latin1').replaceAll(/\r?\n/g, '\r\n')
    expect(verifiedDkim(sent, published), `seed ${seed}`).toMatchObject({ d: 'shop.example' })
  }
})

test.each(strangeMails)('a mail that nobody composes is signed as the library does it: %j', async (text) => {
  const mail = Buffer.from(text)
  const library = (await signedByLibrary(mail)).toString('latin1')
  for (const size of [1, 7, 65_536])
    expect((await buffer(signWithDkim(inPieces(mail, size), key))).toString('latin1')).toBe(library)
})

test.each([
  ['bücher.example', 'crm1'],
  ['xn--bcher-kva.example', 'a'.repeat(63)],
  [`${'long.'.repeat(40)}example`, 'crm-2'],
])(
  'the domain %s and the selector %s stand in the signature as in that of the library',
  async (domain, selector) => {
    const mail = await composedMail(1)
    const signed = await buffer(signWithDkim(inPieces(mail, 1_000), { ...key, domain, selector }))
    expect(signed.equals(await signedByLibrary(mail, { ...key, domain, selector }))).toBe(true)
  },
)

test('a thread of the pool computes the signature', async () => {
  const types: string[] = []
  const hook = createHook({ init: (_id, type) => types.push(type) }).enable()
  await buffer(signWithDkim(inPieces(await composedMail(1), 1_000), key))
  hook.disable()
  expect(types.filter((type) => type === 'SIGNREQUEST')).toHaveLength(1)
})

test('a mail that cannot be read, and a signature that cannot be made, are errors of the stream', async () => {
  async function* cut() {
    yield Buffer.from(field)
    throw new Error('The file is missing')
  }
  await expect(buffer(signWithDkim(Readable.from(cut()), key))).rejects.toThrow('The file is missing')
  const { privateKey: other } = generateKeyPairSync('x25519')
  const unsigned = signWithDkim(inPieces(Buffer.from(field), 10), { ...key, privateKey: other })
  await expect(buffer(unsigned)).rejects.toThrow()
})

test('a reader that goes away ends the reading of the mail', async () => {
  const mail = new Readable({ read: () => undefined })
  const isClosed = new Promise((resolve) => mail.once('close', resolve))
  signWithDkim(mail, key).destroy()
  await isClosed
  expect(mail.destroyed).toBe(true)
})
