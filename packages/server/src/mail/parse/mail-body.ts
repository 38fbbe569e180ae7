import { safeFilename } from '@crmkit/core'
import { plainTextOf } from '../../shared/plain-text.ts'
import { takeDataImages } from './data-images.ts'
import { decodeText } from './decode-text.ts'
import { decodeWords } from './encoded-words.ts'
import { readHeaders } from './header-block.ts'
import type { MailFile } from './mail-facts.ts'
import type { MailPart } from './mail-tree.ts'
import { wordsOf } from './text-lines.ts'

export type ShownType = 'text/plain' | 'text/html'
type BodyFile = Omit<MailFile, 'isInline' | 'sha256'> & {
  bytes: Uint8Array
  /** By which the HTML names it, of a picture that stood in the HTML itself. */
  source?: string
}

/** The texts and the files of a mail. */
export interface MailBody {
  /** Null: the mail has no part of this type. */
  text: string | null
  html: string | null
  /** The types whose texts together are longer than any message: their end is left out. */
  cut: Set<ShownType>
  files: BodyFile[]
}

/** Sorts the parts of a mail: of alternatives the last text and the last HTML, of all others each, in their order. */
export function readBody(root: MailPart): MailBody {
  const body = emptyBody(new Set())
  collect(root, body)
  if (body.text === null && body.html === null) collectOtherText(root, body)
  body.files = withoutSecondCalendars(body.files)
  return body
}

const calendarTypes = ['text/calendar', 'application/ics']

/** An invitation is sent twice, for programs that read it as a text and for those that open files: the one with a name stays. */
function withoutSecondCalendars(files: BodyFile[]): BodyFile[] {
  const calendars = files.filter(({ contentType }) => calendarTypes.includes(contentType))
  if (calendars.length < 2) return files
  const kept = new Map<string, BodyFile>()
  for (const file of calendars) {
    const lines = Buffer.from(file.bytes).toString('latin1').replace(/\r/g, '').trimEnd()
    const known = kept.get(lines)
    if (known === undefined || known.filename === namesOfTypes[known.contentType]) kept.set(lines, file)
  }
  const stay = new Set(kept.values())
  return files.filter((file) => !calendars.includes(file) || stay.has(file))
}

function emptyBody(cut: MailBody['cut']): MailBody {
  return { text: null, html: null, cut, files: [] }
}

function collect(part: MailPart, body: MailBody): void {
  if (part.type === 'multipart/alternative') collectAlternatives(part, body)
  else if (isShown(part)) collectText(part, body)
  else if (part.type.startsWith('multipart/')) for (const child of part.parts) collect(child, body)
  else if (part.bytes.length > 0) body.files.push(fileOf(part))
}

/** A multipart without any part is what a mail server has broken: its words are those of the mail. */
function isShown(part: MailPart): boolean {
  const isText = part.type === 'text/plain' || part.type === 'text/html'
  const isBroken = part.type.startsWith('multipart/') && part.parts.length === 0 && part.bytes.length > 0
  return (isText || isBroken) && isUnnamed(part)
}

const isUnnamed = (part: MailPart) => part.disposition !== 'attachment' && !hasName(part)

/** Texts that a program reads, and no person. */
const textOfPrograms = /^text\/(?:calendar|csv|directory|rtf|vcard|x-vcard|xml)$/

/** Reports, which some mail systems write their sentences into. */
const reportOfSystem = /^message\/(?:global-)?delivery-status$/

/** A mail whose only text has a type that is never shown, such as Markdown, says its words with it. */
function collectOtherText(part: MailPart, body: MailBody): void {
  for (const child of part.parts) collectOtherText(child, body)
  const isText = part.type.startsWith('text/') && !textOfPrograms.test(part.type)
  const isOther = (isText || reportOfSystem.test(part.type)) && isUnnamed(part)
  if (isOther && body.text === null && part.bytes.length > 0) {
    collectText(part, body)
    body.files = body.files.filter(({ bytes }) => bytes !== part.bytes)
  }
}

function collectText(part: MailPart, body: MailBody): void {
  if (part.type === 'text/html') {
    const html = htmlOf(part, body)
    const before = body.html === null && body.text !== null ? textBefore(body.text, html) : ''
    body.html = joined(body, 'text/html', `${before}${html}`)
    return
  }
  if (part.bytes.length > textBytesMax) body.cut.add('text/plain')
  const text = clean(textOf(part, textBytesMax))
  // A text between parts of HTML, such as the footer of a list, would be lost if only the HTML was shown.
  if (body.html !== null && text.trim() !== '')
    body.html = joined(body, 'text/html', `<p>${escapeHtml(text.trim())}</p>`, '')
  body.text = joined(body, 'text/plain', text)
}

/** A text above HTML, such as the note of a mail server, would be lost if only the HTML was shown; mostly both are the same words. */
function textBefore(text: string, html: string): string {
  const shown = new Set(wordsOf(plainTextOf(html)))
  return wordsOf(text).every((word) => shown.has(word)) ? '' : `<p>${escapeHtml(text.trim())}</p>`
}

/** More bytes than the longest message has in every usual charset and encoding. */
const textBytesMax = 512 * 1024
/** Pictures may stand in the HTML itself. */
const htmlBytesMax = 16 * 1024 * 1024

function htmlOf(part: MailPart, body: MailBody): string {
  const { html, images } = takeDataImages(textOf(part, htmlBytesMax), body.files.length)
  body.files.push(...images)
  if (part.bytes.length > htmlBytesMax || html.length > textBytesMax) body.cut.add('text/html')
  return clean(html.slice(0, textBytesMax))
}

function collectAlternatives(part: MailPart, body: MailBody): void {
  const own = emptyBody(body.cut)
  for (const child of part.parts) {
    const one = emptyBody(body.cut)
    // The place of a picture is counted over the whole mail.
    one.files = [...body.files, ...own.files]
    const before = one.files.length
    collect(child, one)
    own.text = eachOnce(own.text, one.text, '\n\n')
    own.html = eachOnce(own.html, one.html, '<hr />')
    own.files.push(...one.files.slice(before))
  }
  if (own.text !== null) body.text = joined(body, 'text/plain', own.text)
  if (own.html !== null) body.html = joined(body, 'text/html', own.html)
  body.files.push(...own.files)
}

/** Two alternatives of one type are mostly two texts: a report, and the mail that it is about. */
function eachOnce(first: string | null, second: string | null, separator: string): string | null {
  if (first === null || second === null) return second ?? first
  const [one, other] = [first, second].map((text) => text.replace(/\s+/g, ' ').trim()) as [string, string]
  if (other.includes(one)) return second
  if (one.includes(other)) return first
  return `${first}${separator}${second}`.slice(0, joinedLengthMax)
}

/** As many characters as one text may have: hundreds of parts would be read for a message that shows the first. */
const joinedLengthMax = 512 * 1024

function joined(body: MailBody, type: ShownType, text: string, separator = '\n'): string {
  const before = type === 'text/html' ? body.html : body.text
  if (before === null) return text
  if (before.length + text.length < joinedLengthMax) return `${before}${separator}${text}`
  body.cut.add(type)
  return before
}

function hasName({ typeParams, dispositionParams, contentId }: MailPart): boolean {
  return (
    dispositionParams['filename'] !== undefined || (typeParams['name'] !== undefined && contentId === null)
  )
}

function textOf(part: MailPart, bytesMax: number): string {
  const { charset = charsetOfHtml(part), format, delsp } = part.typeParams
  const text = decodeText(part.bytes.subarray(0, bytesMax), charset)
  return part.type === 'text/plain' && /^flowed$/i.test(format ?? '')
    ? unflow(text, /^yes$/i.test(delsp ?? ''))
    : text
}

/** HTML may name its charset itself. */
function charsetOfHtml({ type, bytes }: MailPart): string | undefined {
  if (type !== 'text/html') return undefined
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2_048)).toString('latin1')
  return /<meta[^>]{0,200}charset=["']?([\w.:-]{1,40})/i.exec(head)?.[1]
}

/** Joins the lines of `format=flowed` (RFC 3676): a line that ends in a space continues in the next one of its quote depth. */
function unflow(text: string, isSpaceDeleted: boolean): string {
  const result: string[] = []
  let open: { quote: string; text: string } | undefined
  for (const line of text.split(/\r?\n/)) {
    const quote = /^>*/.exec(line)?.[0] ?? ''
    const content = line.slice(quote.length).replace(/^ /, '')
    if (open !== undefined && open.quote !== quote) {
      result.push(shown(open))
      open = undefined
    }
    const whole = (open?.text ?? '') + content
    if (content.endsWith(' ') && content !== '-- ') {
      open = { quote, text: isSpaceDeleted ? whole.slice(0, -1) : whole }
    } else {
      result.push(shown({ quote, text: whole }))
      open = undefined
    }
  }
  if (open !== undefined) result.push(shown(open))
  return result.join('\n')
}

function shown({ quote, text }: { quote: string; text: string }): string {
  return quote === '' ? text : `${quote} ${text}`
}

/** Characters that no message may hold: control characters other than newlines and tabs. */
function clean(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')
    .toWellFormed()
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\n/g, '<br />')
}

const contentIdMax = 250
/** Of a longer name the beginning is read: no file keeps as much of it. */
const nameLengthMax = 16_384

function fileOf(part: MailPart): BodyFile {
  const name = part.dispositionParams['filename'] ?? part.typeParams['name']
  return {
    filename: name === undefined ? nameOfType(part) : safeFilename(decodeWords(name.slice(0, nameLengthMax))),
    contentType: part.type,
    size: part.bytes.length,
    contentId: contentIdOf(part),
    bytes: part.bytes,
  }
}

const namesOfTypes: Readonly<Record<string, string>> = {
  'application/pdf': 'document.pdf',
  'application/pgp-signature': 'signature.asc',
  'application/pkcs7-signature': 'smime.p7s',
  'application/zip': 'archive.zip',
  'audio/mpeg': 'audio.mp3',
  'audio/wav': 'audio.wav',
  'image/bmp': 'image.bmp',
  'image/gif': 'image.gif',
  'image/heic': 'image.heic',
  'image/jpeg': 'image.jpg',
  'image/png': 'image.png',
  'image/svg+xml': 'image.svg',
  'image/tiff': 'image.tiff',
  'image/webp': 'image.webp',
  'text/calendar': 'invitation.ics',
  'text/csv': 'table.csv',
  'text/html': 'text.html',
  'text/plain': 'text.txt',
  'text/vcard': 'contact.vcf',
  'video/mp4': 'video.mp4',
}

/** A file without a name opens by its ending; a mail is called by its subject. */
function nameOfType({ type, bytes }: MailPart): string | null {
  if (type !== 'message/rfc822' && type !== 'message/global') return namesOfTypes[type] ?? null
  const subject = decodeWords(readHeaders(bytes).first('subject') ?? '')
    .slice(0, 100)
    .trim()
  return safeFilename(`${subject === '' ? 'message' : subject}.eml`)
}

function contentIdOf({ contentId }: MailPart): string | null {
  return contentId !== null && contentId.length <= contentIdMax && /^[^\p{C}\s]+$/u.test(contentId)
    ? contentId
    : null
}
