const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const invisible = /^(?:\p{Mark}|[\u200b-\u200d])$/u

/** The number of terminal columns of a clean text without escape sequences. */
export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let columns = 0
  for (const character of text) columns += invisible.test(character) ? 0 : wide.test(character) ? 2 : 1
  return columns
}
