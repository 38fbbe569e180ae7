/** The first bytes of the pictures that run nothing. SVG is not among them. */
const beginnings: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
]

/** How many bytes decide the type. */
export const pictureHeadBytes = 12

/** Returns the type of a picture by its first bytes; undefined for every other file, whatever its name says. */
export function pictureTypeOf(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, pictureHeadBytes))
  return beginnings.find(([, beginning]) => beginning.test(text))?.[0]
}
