import { contentLengthMax } from '@crmkit/core'
import { readBounce } from './bounce-facts.ts'
import { decodeWords } from './encoded-words.ts'
import { type Headers, readHeaders } from './header-block.ts'
import { fileUrl, mailFilesMax } from './inline-images.ts'
import { readAddresses } from './mail-addresses.ts'
import { type MailBody, readBody } from './mail-body.ts'
import type { MailFacts, MailFile } from './mail-facts.ts'
import { readTree } from './mail-tree.ts'
import { messageIds } from './message-ids.ts'
import { findQuotations, type Quotation, type QuotedThread } from './quotations.ts'
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
  const tree = readTree(bytes)
  const body = readBody(tree)
  const { shownFiles, ...content } = readContent(body)
  const files = body.files.map(({ source: _, ...file }, index) => ({
    ...file,
    isInline: shownFiles.has(index),
  }))
  const facts: MailFacts = {
    ...addressFacts(headers),
    ...threadFacts(headers),
    ...senderFacts(headers),
    bounce: readBounce(tree),
    ...content,
    files: files.map(({ bytes: _, ...file }) => file),
  }
  return { facts, files }
}

/** Returns what a mail that was read quotes of the conversation that it belongs to. */
export function quotationsOf({ facts }: ReadMail, thread: QuotedThread): Quotation[] {
  return findQuotations(facts.content, facts.contentType, thread)
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
    originalFrom: readAddresses([...headers.all('x-original-from'), ...headers.all('x-original-sender')]),
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
  // bounded: 200 characters.
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

interface Content extends Pick<MailFacts, 'content' | 'contentType' | 'truncated'> {
  /** The places of the files that it shows as images. */
  shownFiles: ReadonlySet<number>
}

function readContent({ text, html, files, cut }: MailBody): Content {
  if (html !== null) {
    const shownFiles = new Set<number>()
    const safe = safeMailHtml(html, (src) => {
      const index = imageOf(files, src)
      if (index === -1) return undefined
      shownFiles.add(index)
      return fileUrl(index)
    })
    if (hasText(safe.html) || text === null) {
      const truncated = safe.truncated || cut.has('text/html')
      return { content: safe.html, contentType: 'html', truncated, shownFiles }
    }
  }
  const whole = (text ?? '').trim()
  const isLong = whole.length > contentLengthMax
  const truncated = isLong || cut.has('text/plain')
  const content = isLong ? whole.slice(0, contentLengthMax).toWellFormed() : whole
  const shownFiles = new Set<number>()
  return { content, contentType: 'text', truncated, shownFiles }
}

/** Returns the place of the image that a URL names: by `cid:` (RFC 2392), or one that stood in the HTML itself; -1: none. */
function imageOf(files: MailBody['files'], src: string): number {
  if (src.startsWith('data:')) return files.slice(0, mailFilesMax).findIndex(({ source }) => source === src)
  const [, named = ''] = /^cid:(.+)$/i.exec(src) ?? []
  if (named === '') return -1
  const ids = [named, decodedUrl(named)]
  return files
    .slice(0, mailFilesMax)
    .findIndex(
      ({ contentId, contentType }) =>
        contentId !== null && ids.includes(contentId) && contentType.startsWith('image/'),
    )
}

function decodedUrl(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A placeholder of an image shows nothing, so the text of the same mail is better. */
function hasText(html: string): boolean {
  return html.replace(/<(?!img src=)[^<>]*>|&nbsp;|\s/g, '') !== ''
}

function oneLine(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}
