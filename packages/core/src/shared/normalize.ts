// Every character that can be moved or joined within a run: marks, two letters that NFKC turns into marks, the vowels
// of Kirat Rai.
const joining = '\\p{M}\\uff9e\\uff9f\\u{16d63}-\\u{16d6a}'
const runLengthMax = 30
/** A run so long that the platform may need the square of it. */
// bounded: one class of characters, so many times.
export const longRun = new RegExp(`[${joining}]{${runLengthMax + 1}}`, 'u')
// bounded: two classes that share no character.
const piece = new RegExp(`[^${joining}]*[${joining}]{0,${runLengthMax}}`, 'gu')

/**
 * A Unicode normal form in a time linear in the length. The platform's takes the square of a run of combining marks;
 * here a run is normalised in pieces of 30, the longest run that a real text has (UAX #15, stream-safe text).
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  if (!longRun.test(text)) return text.normalize(form)
  return text.replace(piece, (part) => part.normalize(form))
}
