/*
 * Code page 949, by which Korean mail is written under names of EUC-KR. It has all 11,172 syllables: EUC-KR has 2,350 of
 * them, and the others follow in the order of Unicode, at places that EUC-KR leaves free.
 */

const firstSyllable = 0xac00
const syllables = 11_172
const trails = [...range(0x41, 0x5a), ...range(0x61, 0x7a), ...range(0x81, 0xfe)]

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

let added: ReadonlyMap<number, string> | undefined

/** Returns the syllables that EUC-KR does not have, by their two bytes. */
function addedSyllables(): ReadonlyMap<number, string> {
  const eucKr = new TextDecoder('euc-kr')
  const rows = range(0xb0, 0xc8).flatMap((lead) => range(0xa1, 0xfe).flatMap((trail) => [lead, trail]))
  const known = new Set(eucKr.decode(Uint8Array.from(rows)))
  const others = Array.from({ length: syllables }, (_, at) => String.fromCharCode(firstSyllable + at)).filter(
    (syllable) => !known.has(syllable),
  )
  const codes = range(0x81, 0xc6).flatMap((lead) =>
    trails.filter((trail) => lead <= 0xa0 || trail <= 0xa0).map((trail) => lead * 256 + trail),
  )
  return new Map(others.map((syllable, at) => [codes[at] ?? 0, syllable]))
}

/** Returns the text of bytes in code page 949; undefined where all of them are EUC-KR. */
export function decodeWindows949(bytes: Uint8Array): string | undefined {
  added ??= addedSyllables()
  const eucKr = new TextDecoder('euc-kr')
  const pieces: string[] = []
  let start = 0
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) continue
    const syllable = added.get(lead * 256 + (bytes[at + 1] ?? 0))
    if (syllable !== undefined) {
      pieces.push(eucKr.decode(bytes.subarray(start, at)), syllable)
      start = at + 2
    }
    at += 1
  }
  return start === 0 ? undefined : [...pieces, eucKr.decode(bytes.subarray(start))].join('')
}
