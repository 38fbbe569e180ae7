import { safeFilename } from '@crmkit/core'
import { decodeText } from './decode-text.ts'
import { decodeWords } from './encoded-words.ts'
import type { MailFile } from './mail-facts.ts'
import type { MailPart } from './mail-tree.ts'
import type { ShownType } from './shorten-texts.ts'

/** The texts and the files of a mail. */
export interface MailBody {
  /** Null: the mail has no part of this type. */
  text: string | null
  html: string | null
  /** The types whose texts together are longer than any message: their end is left out. */
  cut: Set<ShownType>
  files: (Omit<MailFile, 'isInline'> & { bytes: Uint8Array })[]
}

/** Sorts the parts of a mail: of alternatives the last text and the last HTML, of all others each, in their order. */
export function readBody(root: MailPart): MailBody {
  const body: MailBody = { text: null, html: null, cut: new Set(), files: [] }
  collect(root, body)
  return body
}

function collect(part: MailPart, body: MailBody): void {
  if (part.type === 'multipart/alternative') collectAlternatives(part, body)
  else if (part.type.startsWith('multipart/')) for (const child of part.parts) collect(child, body)
  else if (isShown(part)) collectText(part, body)
  else if (part.bytes.length > 0) body.files.push(fileOf(part))
}

function isShown(part: MailPart): boolean {
  const isText = part.type === 'text/plain' || part.type === 'text/html'
  return isText && part.disposition !== 'attachment' && !hasName(part)
}

function collectText(part: MailPart, body: MailBody): void {
  const text = clean(textOf(part))
  if (part.type === 'text/html') {
    body.html = joined(body, 'text/html', text)
    return
  }
  // A text between parts of HTML, such as the footer of a list, would be lost if only the HTML was shown.
  if (body.html !== null && text.trim() !== '')
    body.html = joined(body, 'text/html', `<p>${escapeHtml(text.trim())}</p>`, '')
  body.text = joined(body, 'text/plain', text)
}

function collectAlternatives(part: MailPart, body: MailBody): void {
  const own: MailBody = { text: null, html: null, cut: body.cut, files: [] }
  for (const child of part.parts) {
    const one: MailBody = { text: null, html: null, cut: body.cut, files: [] }
    collect(child, one)
    own.text = one.text ?? own.text
    own.html = one.html ?? own.html
    own.files.push(...one.files)
  }
  if (own.text !== null) body.text = joined(body, 'text/plain', own.text)
  if (own.html !== null) body.html = joined(body, 'text/html', own.html)
  body.files.push(...own.files)
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

function textOf(part: MailPart): string {
  const { charset = charsetOfHtml(part), format, delsp } = part.typeParams
  const text = decodeText(part.bytes, charset)
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

function fileOf(part: MailPart): MailBody['files'][number] {
  const name = part.dispositionParams['filename'] ?? part.typeParams['name']
  const isMail = part.type === 'message/rfc822'
  const filename =
    name === undefined
      ? isMail
        ? 'message.eml'
        : null
      : safeFilename(decodeWords(name.slice(0, nameLengthMax)))
  return {
    filename,
    contentType: part.type,
    size: part.bytes.length,
    contentId: contentIdOf(part),
    bytes: part.bytes,
  }
}

function contentIdOf({ contentId }: MailPart): string | null {
  return contentId !== null && contentId.length <= contentIdMax && /^[^\p{C}\s]+$/u.test(contentId)
    ? contentId
    : null
}
