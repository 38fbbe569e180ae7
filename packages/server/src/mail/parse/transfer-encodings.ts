/** Returns the bytes of a body without its transfer encoding. An encoding that is not known leaves them as they are. */
export function decodeBody(body: Buffer, encoding: string): Buffer {
  const name = encoding.trim().toLowerCase()
  if (name.startsWith('base64')) return decodeBase64(body)
  if (name.startsWith('quoted-printable')) return decodeQuotedPrintable(body)
  return /^(?:x-)?uu(?:e|encode)$/.test(name) ? decodeUuencode(body) : body
}

/** Some programs pad every line, so padding ends a unit and not the text. */
function decodeBase64(body: Buffer): Buffer {
  const text = body.toString('latin1')
  // A hyphen or an underline would be read as a character of the form for URLs.
  const plain = /[^a-zA-Z0-9+/=\s]/.test(text) ? text.replace(/[^a-zA-Z0-9+/=]+/g, '') : text
  const units = plain.split(/=[=\s]*/)
  return units.length <= 2 && units[1] === ''
    ? Buffer.from(units[0] ?? '', 'base64')
    : Buffer.concat(units.map((unit) => Buffer.from(unit, 'base64')))
}

const [tab, lineFeed, carriageReturn, blank, equals] = [0x09, 0x0a, 0x0d, 0x20, 0x3d]

/** Ends of lines stay as they are: a file of Windows has other ones than a text of Unix. */
function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(body.length)
  let length = 0
  /** The end of what a line holds but blanks, which mail servers add at its end. */
  let kept = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte === lineFeed || byte === carriageReturn) length = kept
    if (byte !== equals) {
      decoded[length++] = byte
      if (byte !== blank && byte !== tab) kept = length
      continue
    }
    const { end, value } = escapeAt(body, at)
    if (value !== undefined) decoded[length++] = value
    kept = length
    at = end - 1
  }
  return decoded.subarray(0, length)
}

/** Reads what an equals sign begins: a line end that the encoder has added, a byte, or nothing but the sign. */
function escapeAt(body: Buffer, at: number): { end: number; value?: number } {
  const end = softEnd(body, at + 1)
  if (end !== undefined) return { end }
  const value = hexValue(body[at + 1]) * 16 + hexValue(body[at + 2])
  return Number.isNaN(value) ? { end: at + 1, value: equals } : { end: at + 3, value }
}

/** Returns the value of a hexadecimal digit, in either case; NaN for any other byte. */
function hexValue(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

/** Returns the offset behind a line end that the encoder has added, with blanks before it; undefined for none. */
function softEnd(body: Buffer, from: number): number | undefined {
  let at = from
  while (at < from + 80 && (body[at] === blank || body[at] === tab)) at += 1
  if (at >= body.length) return body.length
  if (body[at] === carriageReturn && body[at + 1] === lineFeed) return at + 2
  return body[at] === lineFeed ? at + 1 : undefined
}

/** The lines between `begin` and `end`, each with its length before it. */
function decodeUuencode(body: Buffer): Buffer {
  const lines = body.toString('latin1').split(/\r?\n/)
  const begin = lines.findIndex((line) => /^begin [0-7]{3,4} /.test(line))
  if (begin === -1) return body
  const end = lines.indexOf('end', begin)
  return Buffer.concat(lines.slice(begin + 1, end === -1 ? lines.length : end).map(decodeUuLine))
}

function decodeUuLine(line: string): Buffer {
  const valueAt = (at: number) => ((line.charCodeAt(at) || blank) - blank) & 0x3f
  const bytes: number[] = []
  const length = valueAt(0)
  for (let at = 1; bytes.length < length; at += 4) {
    const bits = (valueAt(at) << 18) | (valueAt(at + 1) << 12) | (valueAt(at + 2) << 6) | valueAt(at + 3)
    bytes.push((bits >> 16) & 0xff, (bits >> 8) & 0xff, bits & 0xff)
  }
  return Buffer.from(bytes.slice(0, length))
}
