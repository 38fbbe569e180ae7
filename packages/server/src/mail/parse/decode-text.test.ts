import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'
import { decodeWindows949 } from './windows-949.ts'

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const ascii = (text: string) => Buffer.from(text, 'latin1')

/** Bytes as mail programs send them, with the label that they give them. */
const cases: Record<string, [bytes: Uint8Array, label: string | undefined, text: string]> = {
  'UTF-8': [Buffer.from('Grüße €'), 'utf-8', 'Grüße €'],
  'UTF-8 with a byte order mark': [Buffer.from('\ufeffGrüße'), 'us-ascii', 'Grüße'],
  'UTF-8 in quotes and capitals': [Buffer.from('Grüße'), '"UTF8"', 'Grüße'],
  'UTF-8 without a label': [Buffer.from('Grüße'), undefined, 'Grüße'],
  'UTF-8 that is labelled as ISO-8859-1': [Buffer.from('Grüße'), 'iso-8859-1', 'Grüße'],
  'UTF-8 that is labelled as US-ASCII': [Buffer.from('Größe'), 'us-ascii', 'Größe'],
  'UTF-8 that is labelled as windows-1252': [Buffer.from('naïve'), 'windows-1252', 'naïve'],
  'UTF-8 that is labelled as GBK': [Buffer.from('Grüße aus Köln'), 'gb2312', 'Grüße aus Köln'],
  'UTF-8 with a cut last character': [Buffer.from('Grüße é').subarray(0, -1), 'utf-8', 'Grüße \ufffd'],
  'windows-1252 that is labelled as UTF-8': [bytesOf('47 72 fc df 65'), 'utf-8', 'Grüße'],
  'windows-1252 without a label': [bytesOf('80 20 93 61 94'), undefined, '€ “a”'],
  'windows-1252 with an unknown label': [bytesOf('fc'), 'x-unknown-charset', 'ü'],
  'ISO-8859-1 with smart quotes': [bytesOf('93 68 69 94'), 'iso-8859-1', '“hi”'],
  'ISO-8859-1 with its year': [bytesOf('e9'), 'ISO_8859-1:1987', 'é'],
  'ISO-8859-2': [bytesOf('a1 b1 e8'), 'iso-8859-2', 'Ąąč'],
  'ISO-8859-5': [bytesOf('bf e0 d8 d2 d5 e2'), 'iso-8859-5', 'Привет'],
  'ISO-8859-15 with a euro': [bytesOf('a4'), 'latin9', '€'],
  'windows-1251': [bytesOf('cf f0 e8 e2 e5 f2'), 'cp1251', 'Привет'],
  'KOI8-R': [bytesOf('f0 d2 c9 d7 c5 d4'), 'koi8-r', 'Привет'],
  'windows-1255': [bytesOf('f9 ec e5 ed'), 'windows-1255', 'שלום'],
  'windows-1256': [bytesOf('e3 d1 cd c8 c7'), 'windows-1256', 'مرحبا'],
  'windows-874 for Thai': [bytesOf('ca c7 d1 ca b4 d5'), 'tis-620', 'สวัสดี'],
  'Shift JIS': [bytesOf('93 fa 96 7b 8c ea'), 'cp932', '日本語'],
  'ISO-2022-JP': [ascii('\x1b$BF|K\\8l\x1b(B'), 'iso-2022-jp', '日本語'],
  'EUC-JP': [bytesOf('c6 fc cb dc b8 ec'), 'euc-jp', '日本語'],
  'EUC-KR': [bytesOf('c7 d1 b1 db'), 'ks_c_5601-1987', '한글'],
  'ISO-2022-KR': [ascii('\x1b$)C\x0eGQ1[\x0f ok'), 'iso-2022-kr', '한글 ok'],
  GB2312: [bytesOf('c4 e3 ba c3'), 'gb2312', '你好'],
  GB18030: [bytesOf('c4 e3 81 30 84 36'), 'gb18030', '你¥'],
  HZ: [ascii('~{Dc:C~} ok~~'), 'hz-gb-2312', '你好 ok~'],
  Big5: [bytesOf('a7 41 a6 6e'), 'big5', '你好'],
  'code page 437': [bytesOf('81 e1 84'), 'cp437', 'üßä'],
  'code page 850': [bytesOf('81 e1 9b'), 'ibm850', 'üßø'],
  'UTF-7': [ascii('Gr+APwA3w-e +- 1'), 'utf-7', 'Grüße + 1'],
  'UTF-16 without a byte order mark': [Buffer.from('Hé', 'utf16le'), 'utf-16', 'Hé'],
  'UTF-16 with a byte order mark of big endians': [bytesOf('fe ff 00 48 00 e9'), 'utf-16', 'Hé'],
  'Mac Roman': [bytesOf('47 72 9f a7 65'), 'x-mac-roman', 'Grüße'],
}

describe('the text of a mail', () => {
  for (const [name, [bytes, label, text]] of Object.entries(cases)) {
    it(`is read right in ${name}`, () => {
      expect(decodeText(bytes, label)).toBe(text)
    })
  }

  it('is read without a failure whatever its bytes and its label are', () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256))
    for (const label of [
      'utf-8',
      'gbk',
      'iso-2022-jp',
      'utf-7',
      'hz',
      'x',
      '',
      'replacement',
      'utf-16be',
      '\u0000',
    ])
      expect(decodeText(bytes, label).isWellFormed()).toBe(true)
  })

  it('has all 11,172 syllables of code page 949, in the order that other programs know', () => {
    const text = Array.from({ length: 11_172 }, (_, at) => String.fromCharCode(0xac00 + at)).join('')
    // The bytes as Python's codec writes them.
    const bytes = bytesOfSyllables(text)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '9d355925bccc44ae41885b4e53eb25cf5f2f5f52000c586e3b8cd938791447bd',
    )
    expect(decodeText(bytes, 'ks_c_5601-1987')).toBe(text)
  })
})

/** Finds the two bytes of each syllable by reading all pairs. */
function bytesOfSyllables(text: string): Buffer {
  const codes = new Map<string, number>()
  for (let code = 0x8141; code <= 0xc8fe; code++) {
    const pair = Buffer.from([code >> 8, code & 0xff])
    const syllable = decodeWindows949(pair) ?? new TextDecoder('euc-kr').decode(pair)
    if (syllable.length === 1 && !codes.has(syllable)) codes.set(syllable, code)
  }
  return Buffer.concat(
    Array.from(text, (syllable) =>
      Buffer.from([(codes.get(syllable) ?? 0) >> 8, (codes.get(syllable) ?? 0) & 0xff]),
    ),
  )
}
