export const formats = ['strong', 'em', 'a', 'ul', 'code'] as const
export type Format = (typeof formats)[number]

interface Selection {
  readonly from: number
  readonly to: number
}

/** A text in place of a part of the whole one, and the selection after it: offsets into the whole text. */
export interface Edit extends Selection {
  readonly by: string
  readonly select: Selection
}

const signs = { strong: '**', em: '_', code: '`' } as const
const isWord = /[\p{L}\p{N}]/u
const bullet = /^ {0,3}[-*+] +/
const isAddress = /^https?:\/\/\S+$/

/** Puts the signs of Markdown around the selection, or takes them away. */
export function format(text: string, selection: Selection, kind: Format): Edit {
  if (kind === 'ul') return asList(text, selection)
  if (kind === 'a') return asLink(text, selection)
  const inner = text.slice(selection.from, selection.to)
  if (kind === 'code' && inner.includes('\n')) return replaceBy(selection, `\`\`\`\n${inner}\n\`\`\``)
  // Within a word an underscore is a letter.
  const isInWord = isWord.test(text.charAt(selection.from - 1)) || isWord.test(text.charAt(selection.to))
  return surrounded(text, selection, kind === 'em' && isInWord ? '*' : signs[kind])
}

function replaceBy({ from, to }: Selection, by: string): Edit {
  return { from, to, by, select: { from, to: from + by.length } }
}

function surrounded(text: string, { from, to }: Selection, sign: string): Edit {
  const inner = text.slice(from, to)
  const { length } = sign
  const isAround = text.slice(from - length, from) === sign && text.slice(to, to + length) === sign
  if (from >= length && isAround) {
    return {
      from: from - length,
      to: to + length,
      by: inner,
      select: { from: from - length, to: to - length },
    }
  }
  // A sign of Markdown counts on one line, and not beside a blank.
  const by = inner
    .split('\n')
    .map((line) => (line.trim() === '' ? line : line.replace(line.trim(), (words) => sign + words + sign)))
    .join('\n')
  if (inner.trim() === '') {
    return { from, to, by: sign + sign, select: { from: from + length, to: from + length } }
  }
  if (inner.includes('\n')) return replaceBy({ from, to }, by)
  const start = from + by.indexOf(sign) + length
  return { from, to, by, select: { from: start, to: start + inner.trim().length } }
}

function asList(text: string, selection: Selection): Edit {
  const from = text.lastIndexOf('\n', selection.from - 1) + 1
  const end = text.indexOf('\n', selection.to)
  const to = end < 0 ? text.length : end
  const lines = text.slice(from, to).split('\n')
  const isList = lines.every((line) => bullet.test(line))
  const by = lines.map((line) => (isList ? line.replace(bullet, '') : `- ${line}`)).join('\n')
  if (lines.length > 1) return replaceBy({ from, to }, by)
  return { from, to, by, select: { from: from + by.length, to: from + by.length } }
}

function asLink(text: string, { from, to }: Selection): Edit {
  const inner = text.slice(from, to)
  if (isAddress.test(inner)) {
    return { from, to, by: `[](${inner})`, select: { from: from + 1, to: from + 1 } }
  }
  const label = inner.replaceAll('\n', ' ')
  const start = from + label.length + 3
  return {
    from,
    to,
    by: `[${label}](https://)`,
    select: label === '' ? { from: from + 1, to: from + 1 } : { from: start, to: start + 'https://'.length },
  }
}
