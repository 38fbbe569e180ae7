import { decodeCodePage } from './code-pages.ts'
import { decodeHz, decodeIso2022Kr, decodeUtf7 } from './escaped-charsets.ts'
import { decodeWindows949 } from './windows-949.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Labels of senders that are no labels of the Encoding standard. */
const aliases: Readonly<Record<string, string>> = {
  ansi: 'windows-1252',
  'latin-1': 'iso-8859-1',
  latin9: 'iso-8859-15',
  iso8859: 'iso-8859-1',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  utf8mb4: 'utf-8',
  unicode: 'utf-16',
  '_iso-2022-jp$esc': 'iso-2022-jp',
  macintosh: 'macintosh',
  'x-mac-roman': 'macintosh',
}

/** Charsets of several bytes: one character of them in seven is valid UTF-8 by accident, three in a row hardly ever. */
const certainCount = 3
const korean = /^(?:euc-kr|ks_c|ksc|windows-949|korean|cseuckr|iso-ir-149|csksc)/
const multiByte = /^(gb|big5|euc-|shift|iso-2022|hz|ks_?c|windows-949|korean|utf-16)/

/**
 * Returns the text of bytes with the charset that a mail declares. Never fails: a label that is unknown or wrong is
 * replaced by the charset that the bytes show.
 */
export function decodeText(bytes: Uint8Array, declared: string | undefined): string {
  const label = labelOf(declared)
  return (decodeMarked(bytes) ?? decodeEscaped(bytes, label) ?? decodeLabelled(bytes, label)).toWellFormed()
}

function labelOf(declared = ''): string {
  const bare = declared
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, '')
  const [label = ''] = bare.split('*', 1)
  const windows = /^(?:cp|win|windows)[-_]?(125\d|874)$/.exec(label)
  if (windows) return `windows-${windows[1]}`
  const iso = /^iso[-_ ]?8859[-_ ](\d+)/.exec(label)
  if (iso) return `iso-8859-${iso[1]}`
  return aliases[label] ?? label
}

/** Bytes that begin with a byte order mark say their charset themselves. */
function decodeMarked(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return undefined
}

function decodeEscaped(bytes: Uint8Array, label: string): string | undefined {
  if (/^(x-)?(unicode-1-1-|unicode-2-0-|x-unicode-2-0-)?utf-?7$/.test(label)) return decodeUtf7(bytes)
  if (label === 'iso-2022-kr' || label === 'csiso2022kr') return decodeIso2022Kr(bytes)
  if (label === 'hz-gb-2312' || label === 'hz') return decodeHz(bytes)
  if (label === 'utf-16' || label === 'ucs-2') {
    return new TextDecoder(bytes[0] === 0 ? 'utf-16be' : 'utf-16le').decode(bytes)
  }
  return undefined
}

function decodeLabelled(bytes: Uint8Array, label: string): string {
  const utf8 = decodeUtf8(bytes)
  if (multiByte.test(label)) return decodeMultiByte(bytes, label, utf8)
  // Text in a charset of one byte that is valid UTF-8 beyond ASCII is UTF-8 with a wrong label.
  if (utf8 !== undefined)
    return label === 'utf-8' || isBeyondAscii(bytes) ? utf8 : decodeLoosely(bytes, label)
  const isUtf8 = /^utf-?8$/.test(label)
  if (!isUtf8) return decodeCodePage(bytes, label) ?? decodeLoosely(bytes, label)
  // A cut character at the end is no reason to read the whole text as another charset.
  const loose = new TextDecoder().decode(bytes)
  return /[^\u0000-\u007f\ufffd]/.test(loose) ? loose : decodeLoosely(bytes, 'windows-1252')
}

function decodeMultiByte(bytes: Uint8Array, label: string, utf8: string | undefined): string {
  if (utf8 !== undefined && countBeyondAscii(utf8) >= certainCount) return utf8
  const korean949 = korean.test(label) && utf8 === undefined ? decodeWindows949(bytes) : undefined
  return korean949 ?? decodeStrictly(bytes, label) ?? utf8 ?? decodeLoosely(bytes, label)
}

/** Returns the number of characters beyond ASCII, as far as it matters. */
function countBeyondAscii(text: string): number {
  return text.match(/[^\u0000-\u007f]/g)?.length ?? 0
}

function isBeyondAscii(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte >= 0x80)
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}

function decodeStrictly(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function decodeLoosely(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
