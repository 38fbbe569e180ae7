import { decodeText } from './decode-text.ts'

/*
 * Words of RFC 2047, also in the broken forms that mail programs write: spaces or question marks inside the text, words
 * without white space between them, and characters that are split between two words.
 */
const opening = /=\?([^?\s]{1,60})\?([QqBb])\?/g
const closing = /\?=(?![0-9A-Fa-f]{2})/g

interface EncodedWord {
  charset: string
  bytes: Buffer
}

interface FoundWord extends EncodedWord {
  start: number
  end: number
}

/** Finds the words of a header. Where nothing closes a word nothing closes a later one either, so the text is read once. */
function* findWords(header: string): Generator<FoundWord> {
  for (let end = 0; ; ) {
    opening.lastIndex = end
    const open = opening.exec(header)
    if (open === null) return
    closing.lastIndex = opening.lastIndex
    const close = closing.exec(header)
    if (close === null) return
    const [all, charset = '', encoding = ''] = open
    end = close.index + close[0].length
    const bytes = bytesOf(encoding, header.slice(open.index + all.length, close.index))
    yield { charset: charset.toLowerCase(), bytes, start: open.index, end }
  }
}

/** Returns a header's text with its encoded words decoded. */
export function decodeWords(header: string): string {
  return replaceRuns(header, (text) => text)
}

/**
 * Returns a header whose encoded words are all UTF-8, so that a parser of addresses, which knows few charsets, reads
 * them right and a decoded comma or quote cannot become a part of the address.
 */
export function recodeWords(header: string): string {
  return replaceRuns(header, (text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`)
}

/** Replaces each run of words that only white space separates: it does not belong to the text. */
function replaceRuns(header: string, show: (text: string) => string): string {
  let result = ''
  let end = 0
  let run: EncodedWord[] = []
  const flush = () => {
    if (run.length > 0) result += show(textOf(run))
    run = []
  }
  for (const word of findWords(header)) {
    const before = header.slice(end, word.start)
    if (before.trim() !== '' || run.length === 0) {
      flush()
      result += before
    }
    run.push(word)
    end = word.end
  }
  flush()
  return result + header.slice(end)
}

/** Bytes of the same charset are joined first, because a character may begin in one word and end in the next. */
function textOf(run: readonly EncodedWord[]): string {
  const groups: { charset: string; bytes: Buffer[] }[] = []
  for (const { charset, bytes } of run) {
    const last = groups.at(-1)
    if (last?.charset === charset) last.bytes.push(bytes)
    else groups.push({ charset, bytes: [bytes] })
  }
  return groups.map(({ charset, bytes }) => decodeGroup(charset, bytes)).join('')
}

/** Charsets with shift states begin each word anew, unless the word before it ends within a shift. */
function decodeGroup(charset: string, bytes: readonly Buffer[]): string {
  const joined = decodeText(Buffer.concat(bytes), charset)
  if (/^iso-2022-jp/.test(charset))
    return unshiftedPieces(bytes)
      .map((piece) => decodeText(piece, charset))
      .join('')
  if (!joined.includes('\ufffd') && !/^(iso-2022|utf-?7|hz)/.test(charset)) return joined
  return bytes.map((each) => decodeText(each, charset)).join('')
}

/** Joins each word with the one before it that has not gone back to ASCII: some programs cut within a character. */
function unshiftedPieces(words: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[][] = []
  let isShifted = false
  for (const word of words) {
    if (isShifted && word[0] !== escapeByte) pieces.at(-1)?.push(word)
    else pieces.push([word])
    const last = word.lastIndexOf(escapeByte)
    if (last !== -1) isShifted = word[last + 1] === 0x24
  }
  return pieces.map((piece) => Buffer.concat(piece))
}

const escapeByte = 0x1b

function bytesOf(encoding: string, text: string): Buffer {
  if (encoding.toUpperCase() === 'B') return Buffer.from(text.replace(/\s/g, ''), 'base64')
  const plain = text
    .replace(/_/g, ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, /[^\u0000-\u00ff]/.test(plain) ? 'utf8' : 'latin1')
}
