export interface TextPart {
  text: string
  /** Where the part leads; only http, https and mailto. */
  href?: string
}

/** A mailbox is found by its `@`: a text of letters alone has none, and is read once. */
const beginning = /\bhttps?:\/\/[^\s<>"']+|\bmailto:[^\s<>"']+|@[\w-]+(?:\.[\w-]+)+/gi
const ofMailbox = /[\w.+-]/
/** They end a sentence more often than an address. */
const endings = '.,;:!?)]}'
const protocols = ['http:', 'https:', 'mailto:']

/** Returns the address of a link, or undefined for one that is neither http, https nor mailto. */
export function hrefOf(text: string): string | undefined {
  const isMail = text.includes('@') && !text.includes(':') && !text.includes('/')
  // Header fields behind an address could fill in copies, or a file of the reader.
  const href = isMail ? `mailto:${text}` : text.replace(/^(mailto:[^?#]*).*/i, '$1')
  try {
    return protocols.includes(new URL(href).protocol) ? href : undefined
  } catch {
    return undefined
  }
}

function startOfMailbox(text: string, at: number, min: number): number {
  let start = at
  while (start > min && ofMailbox.test(text.charAt(start - 1))) start -= 1
  return start
}

function withoutEndings(text: string): string {
  let length = text.length
  while (endings.includes(text.charAt(length - 1))) length -= 1
  return text.slice(0, length)
}

/** Splits a text into plain parts and links. */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(beginning)) {
    const isMailbox = match.startsWith('@')
    const start = isMailbox ? startOfMailbox(text, index, end) : index
    const found = text.slice(start, index) + withoutEndings(match)
    const href = isMailbox && start === index ? undefined : hrefOf(found)
    if (href === undefined) continue
    if (start > end) parts.push({ text: text.slice(end, start) })
    parts.push({ text: found, href })
    end = start + found.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}
