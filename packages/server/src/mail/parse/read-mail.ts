import { createHash } from 'node:crypto'
import { contentLengthMax } from '@crmkit/core'
import type { MailFacts, MailFile } from '../mail-facts.ts'
import { readBounce } from './bounce-facts.ts'
import { decodeWords } from './encoded-words.ts'
import { type Headers, readHeaders } from './header-block.ts'
import { readAddresses } from './mail-addresses.ts'
import { type MailBody, readBody } from './mail-body.ts'
import { readTree } from './mail-tree.ts'
import { messageIds } from './message-ids.ts'
import { quotedFromInText } from './quoted-text.ts'
import { safeMailHtml } from './safe-mail-html.ts'

const subjectLengthMax = 500

/** A mail that was read, with the bytes of its files. */
export interface ReadMail {
  facts: MailFacts
  files: (MailFile & { bytes: Uint8Array })[]
}

/** Reads a mail. Throws `MailRefused` for one beyond the limits, and any error for one that is damaged. */
export async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const bytes = withoutEnvelopeLine(raw)
  const headers = readHeaders(bytes)
  const tree = await readTree(bytes)
  const body = readBody(tree)
  const content = readContent(body)
  const { files } = body
  const facts: MailFacts = {
    ...addressFacts(headers),
    ...threadFacts(headers),
    ...senderFacts(headers),
    bounce: readBounce(tree),
    ...content,
    fingerprint: fingerprintOf(headers, body),
    files: files.map(({ bytes: _, ...file }) => file),
  }
  return { facts, files }
}

/** Mailboxes put a line `From sender date` before the first header. */
function withoutEnvelopeLine(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_000)).toString('latin1')
  const line = /^>?From [^\n]*\n/.exec(head)
  return line === null ? bytes : bytes.subarray(line[0].length)
}

function addressFacts(headers: Headers) {
  return {
    from: readAddresses(headers.all('from')),
    replyTo: readAddresses(headers.all('reply-to'))[0] ?? null,
    to: readAddresses(headers.all('to')),
    cc: readAddresses(headers.all('cc')),
    deliveredTo: readAddresses([...headers.all('delivered-to'), ...headers.all('x-original-to')]).map(
      ({ address }) => address,
    ),
  }
}

function threadFacts(headers: Headers) {
  const dateText = (headers.first('date') ?? '').slice(0, 200)
  const time = Date.parse(dateText.replace(/\([^)]*\)/g, '').trim())
  return {
    subject: oneLine(decodeWords(headers.first('subject') ?? ''))
      .slice(0, subjectLengthMax)
      .toWellFormed(),
    messageId: messageIds(headers.first('message-id'))[0] ?? null,
    inReplyTo: messageIds(headers.first('in-reply-to')),
    references: messageIds(headers.first('references')),
    date: Number.isNaN(time) ? null : dateOf(time),
    dateText,
  }
}

/** A year beyond four digits is no date of a mail, and no timestamp of this service. */
function dateOf(time: number): string | null {
  const text = new Date(time).toISOString()
  return /^\d{4}-/.test(text) ? text : null
}

function senderFacts(headers: Headers) {
  const submitted = headers.first('auto-submitted')?.trim().toLowerCase() ?? 'no'
  const precedence = headers.first('precedence')?.trim().toLowerCase() ?? ''
  const isBulk = ['bulk', 'list', 'junk', 'auto_reply'].includes(precedence)
  const suppressed = headers.first('x-auto-response-suppress')?.toLowerCase() ?? ''
  return {
    automated: !/^no\b/.test(submitted) || isBulk || headers.first('list-id') !== undefined,
    noAutoReply: /\b(all|oof|autoreply)\b/.test(suppressed),
    loopMarks: headers.all('x-loop').slice(0, 20),
    authenticationResults: headers.first('authentication-results') ?? null,
  }
}

function readContent({
  text,
  html,
}: MailBody): Pick<MailFacts, 'content' | 'contentType' | 'quotedFrom' | 'truncated'> {
  if (html !== null) {
    const safe = safeMailHtml(html)
    if (hasText(safe.html) || text === null) {
      const { quotedFrom, truncated } = safe
      return { content: safe.html, contentType: 'html', quotedFrom, truncated }
    }
  }
  const whole = (text ?? '').trim()
  const truncated = whole.length > contentLengthMax
  const content = truncated ? whole.slice(0, contentLengthMax).toWellFormed() : whole
  return { content, contentType: 'text', quotedFrom: quotedFromInText(content), truncated }
}

function hasText(html: string): boolean {
  return html.replace(/<[^>]*>|&nbsp;|\s/g, '') !== ''
}

function oneLine(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}

function fingerprintOf(headers: Headers, { text, html }: MailBody): string {
  const parts = ['from', 'date', 'subject'].map((name) => headers.first(name) ?? '')
  return createHash('sha256')
    .update(JSON.stringify([...parts, text, html]))
    .digest('hex')
}
