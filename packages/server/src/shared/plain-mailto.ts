/**
 * Returns the attributes of a link whose `mailto:` holds the address alone: header fields behind it would fill in a text, copies
 * or, in some programs, a file of the reader. Browsers skip blanks and controls anywhere in a scheme.
 */
export function withPlainMailto(attribs: Readonly<Record<string, string>>): Record<string, string> {
  const { href } = attribs
  const bare = href?.replace(/[\u0000-\u0020]+/g, '')
  return bare !== undefined && /^mailto:/i.test(bare)
    ? { ...attribs, href: bare.split(/[?#]/, 1).join('') }
    : { ...attribs }
}
