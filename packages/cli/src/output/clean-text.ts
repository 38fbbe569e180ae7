// Control characters (C0, DEL, C1) move the cursor, retitle the window or send input through the keyboard;
// the others reorder the visible text. U+2028 and U+2029 break lines in some terminals.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
// Whole sequences, so that no `[31m` remains: OSC, DCS, PM, APC and SOS up to their end, CSI, two-byte ones.
const escapeSequences =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g

/** Makes one safe line, for table cells, cards and tab-separated rows. */
export function cleanLine(text: string): string {
  return text
    .replace(escapeSequences, '')
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(unsafe, '')
}

/** Escapes C1 and bidi characters, which JSON leaves as they are and a terminal would obey; the value stays equal. */
export function escapeJsonText(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Makes safe lines of a text with line breaks, such as a message. */
export function cleanLines(text: string): string[] {
  return text.split(/\r\n|[\n\r]/).map(cleanLine)
}
