/* The headers of a webhook as lines that a person writes: "Name: value". */

export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/**
 * Reads the lines; blank ones do not count. Returns undefined when a line has no name before a colon, or when two lines have one name,
 * of which an object would keep the last alone.
 */
export function headersOfLines(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const entries = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()] as const
  })
  const names = new Set(entries.map(([name]) => name.toLowerCase()))
  return names.has('') || names.size < entries.length ? undefined : Object.fromEntries(entries)
}
