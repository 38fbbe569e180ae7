export interface TextPart {
  text: string
  /** Where the part leads; only http, https and mailto. */
  href?: string
}

const address = /\bhttps?:\/\/[^\s<>"']+|\bmailto:[^\s<>"']+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi
/** They end a sentence more often than an address. */
const endings = /[.,;:!?)\]}]+$/
const protocols = ['http:', 'https:', 'mailto:']

function hrefOf(text: string): string | undefined {
  const isMail = text.includes('@') && !text.includes(':')
  const href = isMail ? `mailto:${text}` : text
  try {
    return protocols.includes(new URL(href).protocol) ? href : undefined
  } catch {
    return undefined
  }
}

/** Splits a text into plain parts and links. */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(address)) {
    const found = match[0].replace(endings, '')
    const href = hrefOf(found)
    if (href === undefined) continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index) })
    parts.push({ text: found, href })
    end = match.index + found.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}
