/** The most ids that are read of one header: a thread of years has a few hundred. */
const idsMax = 1_000
const idLengthMax = 998

/** Returns the Message-IDs in a header, without their brackets and comments, in their order. */
export function messageIds(header: string | undefined): string[] {
  if (header === undefined) return []
  const text = header.slice(0, 262_144)
  const found = [...text.matchAll(/<([^<>]{1,998})>/g)].slice(0, idsMax).map(([, id = '']) => id.trim())
  const whole = found.filter((id) => /^\S+$/.test(id))
  // Some mail servers fold a line within an id.
  const bracketed = whole.length > 0 ? whole : found.map((id) => id.replace(/\s+/g, '')).filter(Boolean)
  if (bracketed.length > 0) return bracketed
  // Some programs leave the brackets out.
  return text
    .split(/[\s,]+/)
    .filter((id) => id.includes('@') && id.length <= idLengthMax)
    .slice(0, idsMax)
}
