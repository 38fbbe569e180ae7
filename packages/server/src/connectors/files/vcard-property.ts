export interface VcardProperty {
  /** In capitals, without the group before it. */
  name: string
  value: string
  isPreferred: boolean
}

/** Reads one line of a card: `item1.TEL;TYPE=cell,pref:+49 30 1`; undefined for a line that is none. */
export function decodeProperty(line: string): VcardProperty | undefined {
  const colon = colonOf(line)
  if (colon < 0) return undefined
  const [head = '', ...params] = line.slice(0, colon).split(';')
  const name = head
    .slice(head.lastIndexOf('.') + 1)
    .trim()
    .toUpperCase()
  if (name === '') return undefined
  const given = params.map((param) => param.toUpperCase())
  const isQuoted = given.some((param) => /^(?:ENCODING=)?QUOTED-PRINTABLE$/.test(param))
  const value = line.slice(colon + 1)
  return {
    name,
    value: isQuoted ? decodeQuoted(value, charsetOf(given)) : value,
    isPreferred: given.some((param) => /^PREF(?:=1)?$|^TYPE=.*\bPREF\b/.test(param)),
  }
}

/** A colon within the quotes of a parameter does not end the name. */
function colonOf(line: string): number {
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ':' && !isQuoted) return at
  }
  return -1
}

function charsetOf(params: readonly string[]): string {
  const found = params.find((param) => param.startsWith('CHARSET='))
  return found === undefined ? 'UTF-8' : found.slice('CHARSET='.length)
}

function decodeQuoted(text: string, charset: string): string {
  const bytes = Buffer.from(
    text.replaceAll(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // A charset that nobody knows.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Returns the parts of a value without their escapes; an empty `separator` divides nothing. */
export function valuesOf(value: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < value.length; at++) {
    const sign = value[at]
    if (sign === '\\' && at + 1 < value.length) {
      at += 1
      part += value[at] === 'n' || value[at] === 'N' ? '\n' : value[at]
    } else if (sign === separator) {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return [...parts, part]
}
