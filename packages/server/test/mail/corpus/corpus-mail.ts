import type { MailFacts } from '../../../src/mail/parse/mail-facts.ts'

type TextFact = 'content' | 'subject'

/** A mail that was made for these tests, and everything that must be read out of it. */
export interface CorpusMail {
  name: string
  raw: Buffer
  /** The facts that matter in this mail: a text, or a pattern of it. */
  expected: Partial<Omit<MailFacts, TextFact | 'files' | 'bounce'>> & {
    [Fact in TextFact]?: string | RegExp
  } & {
    /** The text above the quotation, without its tags. */
    own?: string
    isFolded?: boolean
    bounce?: object | null
    files?: readonly object[]
  }
}

export interface MailParts {
  headers?: readonly string[]
  body?: string | Buffer
  /** Default: `\r\n`. */
  newline?: string
}

const standardHeaders = ['From: Ada Lovelace <ada@example.com>', 'To: help@acme.test', 'Subject: Broken lamp']

/** Returns a mail with the usual headers, unless the given ones replace them. */
export function mail({ headers = [], body = 'Hello', newline = '\r\n' }: MailParts): Buffer {
  const given = new Set(headers.map((line) => line.split(':', 1)[0]?.toLowerCase()))
  const usual = standardHeaders.filter((line) => !given.has(line.split(':', 1)[0]?.toLowerCase()))
  const head = [...usual, ...headers, '', ''].join(newline)
  const text = typeof body === 'string' ? Buffer.from(body.replaceAll('\n', newline)) : body
  return Buffer.concat([Buffer.from(head), text])
}

export interface Part {
  type: string
  headers?: readonly string[]
  body: string | Buffer
}

/** Returns the headers and the body of a multipart mail; bytes are encoded in base64. */
export function multipart(subtype: string, parts: readonly Part[], boundary = 'b1') {
  const texts = parts.map(({ type, headers = [], body }) => {
    const isText = typeof body === 'string'
    const head = [
      `Content-Type: ${type}`,
      ...headers,
      ...(isText ? [] : ['Content-Transfer-Encoding: base64']),
    ]
    return `--${boundary}\n${head.join('\n')}\n\n${isText ? body : body.toString('base64')}\n`
  })
  return {
    headers: ['MIME-Version: 1.0', `Content-Type: multipart/${subtype}; boundary="${boundary}"`],
    body: `${texts.join('')}--${boundary}--\n`,
  }
}

/** Returns the mail of a reply in HTML, as most mail programs send it: with the same words as text beside it. */
export function htmlMail(html: string, text = 'see HTML'): Buffer {
  return mail(
    multipart('alternative', [
      { type: 'text/plain; charset=utf-8', body: text },
      { type: 'text/html; charset=utf-8', body: html },
    ]),
  )
}
