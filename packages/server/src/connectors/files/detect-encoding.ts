import { analyse } from 'chardet'
import type { FileEncoding } from './read-text.ts'

/** The encoding that reads what the library found: the one of Windows holds all letters of the other. */
const encodingOfName: Readonly<Record<string, FileEncoding>> = {
  'ISO-8859-5': 'windows-1251',
  'windows-1251': 'windows-1251',
  'windows-1256': 'windows-1256',
  Shift_JIS: 'shift_jis',
  GB18030: 'gb18030',
  Big5: 'big5',
  'EUC-KR': 'euc-kr',
}

/** Letters beyond ASCII of the languages of each encoding. A list of names is too short for anything but its letters. */
const alphabets: readonly (readonly [FileEncoding, readonly string[]])[] = [
  [
    'windows-1252',
    [
      'äöüß',
      'àâæçèéêëîïôœùûüÿ',
      'áéíñóúü',
      'àèéìíîòóùú',
      'áàâãçéêíóôõúü',
      'äåöé',
      'æøåéèêóòâô',
      'áéíóúëïöüè',
      'áðéíóúýþæö',
    ],
  ],
  ['windows-1250', ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíľĺňóôŕšťúýž', 'áéíóöőúüű', 'ăâîșțşţ', 'čćđšž']],
  ['windows-1255', ['אבגדהוזחטיךכלםמןנסעףפץצקרשת']],
  ['windows-1251', ['абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўјљњћџђѕќѓ']],
  ['windows-1253', ['αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ']],
  ['windows-1254', ['çğıöşüâîûİ']],
  ['windows-1256', ['ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچگژ']],
  ['windows-1257', ['āčēģīķļņōŗšūž', 'ąčęėįšųūž', 'äõöüšž']],
  ['windows-1258', ['àâăđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ']],
]

const judgedBytesMax = 64 * 1024
const sureConfidence = 50

/** Finds the encoding of a text that has no byte order mark and is no UTF-8, by the letters that it would have. */
export function encodingByLetters(bytes: Uint8Array): FileEncoding {
  const wide = wideEncodingOf(bytes)
  if (wide !== undefined) return wide
  const lines = foreignLinesOf(bytes)
  if (isNearlyUtf8(lines)) return 'utf-8'
  const [first] = analyse(lines)
  const sure = (first?.confidence ?? 0) >= sureConfidence ? encodingOfName[first?.name ?? ''] : undefined
  return sure ?? byAlphabet(lines) ?? byPairs(lines) ?? 'windows-1252'
}

/** A program wrote UTF-8, and copied some bytes of something else into it: read in another encoding, all would be wrong. */
function isNearlyUtf8(lines: Buffer): boolean {
  const foreign = lines.toString('utf8').match(/[^\p{ASCII}]/gu) ?? []
  const wrong = foreign.filter((sign) => sign === '\ufffd').length
  return foreign.length - wrong >= 5 * wrong
}

/** In UTF-16 every second byte of plain letters is zero. */
export function wideEncodingOf(bytes: Uint8Array): FileEncoding | undefined {
  const head = bytes.subarray(0, 4_096)
  const zeros = { even: 0, odd: 0 }
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1
  const enough = head.length / 8
  if (zeros.odd > enough && zeros.even < zeros.odd / 4) return 'utf-16le'
  return zeros.even > enough && zeros.odd < zeros.even / 4 ? 'utf-16be' : undefined
}

/** The lines with letters beyond ASCII: the others say nothing. */
function foreignLinesOf(bytes: Uint8Array): Buffer {
  const lines: Buffer[] = []
  let length = 0
  for (let start = 0; start < bytes.length && length < judgedBytesMax; ) {
    const found = bytes.indexOf(0x0a, start)
    const end = found < 0 ? bytes.length : found + 1
    const line = Buffer.from(bytes.subarray(start, Math.min(end, start + judgedBytesMax)))
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line)
      length += line.length
    }
    start = end
  }
  return Buffer.concat(lines)
}

/** Returns the encoding in which the letters of one language explain nearly everything; the first of equals. */
function byAlphabet(lines: Buffer): FileEncoding | undefined {
  let best: { encoding: FileEncoding; share: number } | undefined
  for (const [encoding, languages] of alphabets) {
    const share = shareOfLetters(new TextDecoder(encoding).decode(lines), languages)
    if (share > (best?.share ?? 0)) best = { encoding, share }
  }
  return best !== undefined && best.share >= 0.8 ? best.encoding : undefined
}

/**
 * The share of the signs beyond ASCII that the best of the languages has in its words. A sign between two letters that is no
 * letter, and a word of Latin letters with others among them, count against it.
 */
function shareOfLetters(text: string, languages: readonly string[]): number {
  const foreign = text.match(/[^\p{ASCII}]/gu) ?? []
  if (foreign.length === 0) return 0
  const isLatin = /[äéąčăçāà]/.test(languages[0] ?? '')
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  const strange = words.filter((word) => !isPlausible(word, isLatin))
  const strangeLetters = strange.reduce((sum, word) => sum + (word.match(/[^\p{ASCII}]/gu)?.length ?? 0), 0)
  const shares = languages.map((letters) => {
    const known = new Set([...letters, ...letters.toUpperCase()])
    return foreign.filter((sign) => known.has(sign)).length
  })
  return (Math.max(...shares) - strangeLetters) / foreign.length
}

/** Words of Latin letters are mostly plain ones; words of others have no plain one; capitals begin a word or fill it. */
function isPlausible(word: string, isLatin: boolean): boolean {
  const foreign = word.match(/[^\p{ASCII}]/gu)?.length ?? 0
  if (foreign === 0) return true
  if (/^\p{Lu}{2,}\p{Ll}|\p{Ll}\p{Lu}/u.test(word)) return false
  return isLatin ? foreign <= 3 || foreign * 2 <= word.length : foreign === word.length
}

/** Chinese, Japanese and Korean write pairs of bytes; the first byte of their common signs says which. */
function byPairs(lines: Buffer): FileEncoding | undefined {
  const pairs: number[][] = []
  for (let at = 0; at + 1 < lines.length; at++) {
    const first = lines[at] ?? 0
    if (first < 0x81) continue
    pairs.push([first, lines[at + 1] ?? 0])
    at += 1
  }
  const all = (rule: (first: number, second: number) => boolean) =>
    pairs.filter(([first = 0, second = 0]) => rule(first, second)).length >= 0.95 * pairs.length
  if (pairs.length === 0) return undefined
  if (all((first, second) => first >= 0xb0 && first <= 0xc8 && second >= 0xa1)) return 'euc-kr'
  if (all((first, second) => first >= 0xb0 && first <= 0xf7 && second >= 0xa1)) return 'gb18030'
  // The sign behind an accent of a Latin language is a plain letter, which may be the second half of a pair too.
  const isHalf = pairs.filter(([, second = 0]) => second >= 0xa1).length >= 0.3 * pairs.length
  const isBig5 = (first: number, second: number) =>
    first >= 0xa4 && first <= 0xf9 && (second >= 0xa1 || (second >= 0x40 && second <= 0x7e))
  if (isHalf && all(isBig5)) return 'big5'
  return isJapanese(lines) ? 'shift_jis' : undefined
}

function isJapanese(lines: Buffer): boolean {
  try {
    const text = new TextDecoder('shift_jis', { fatal: true }).decode(lines)
    return /^[\p{ASCII}\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]*$/u.test(text)
  } catch {
    return false
  }
}
