/** A part of a text between separators that is no address. */
const addressPattern = /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]+$/

/** The addresses of a text, and its parts that are none. `Ada <ada@example.com>` is the address alone. */
export function addressesOf(text: string): { addresses: string[]; wrong: string[] } {
  const parts = text
    .split(/[,;\n]+/)
    .flatMap((part) => part.match(/<([^<>]*)>\s*$/)?.[1] ?? part.trim().split(/\s+/))
    .map((part) => part.trim())
    .filter(Boolean)
  return {
    addresses: [...new Set(parts.filter((part) => addressPattern.test(part)))],
    wrong: parts.filter((part) => !addressPattern.test(part)),
  }
}
