interface Picture {
  /** The address as the text has it, with its entities read. */
  readonly address: string
  readonly from: number
  readonly to: number
}

/** Finds the values of `src` of the pictures of an HTML text, in one walk over it. */
export function picturesOf(html: string): Picture[] {
  const pictures: Picture[] = []
  const lower = html.toLowerCase()
  for (let at = lower.indexOf('<img'); at !== -1; ) {
    const source = sourceOf(html, lower, at + 4)
    if (source !== undefined)
      pictures.push({ ...source, address: withoutEntities(html.slice(source.from, source.to)) })
    at = lower.indexOf('<img', source?.to ?? at + 4)
  }
  return pictures
}

const attributeMax = 10_000

/** Returns the place of the quoted `src` of a tag. */
function sourceOf(html: string, lower: string, from: number): { from: number; to: number } | undefined {
  let at = from
  while (at < html.length && at - from < attributeMax) {
    const character = html.charAt(at)
    // A tag that never ends costs no more than its own characters.
    if (character === '>' || character === '<') return undefined
    if (character === '"' || character === "'") {
      const end = html.indexOf(character, at + 1)
      if (end === -1 || end - at > attributeMax) return undefined
      if (isSource(lower, at)) return { from: at + 1, to: end }
      at = end
    }
    at += 1
  }
  return undefined
}

function isSource(lower: string, quoteAt: number): boolean {
  // A name of four characters, an equals sign and some blanks.
  return /[\s"'/]src\s{0,8}=\s{0,8}$/.test(lower.slice(Math.max(0, quoteAt - 24), quoteAt))
}

function withoutEntities(text: string): string {
  return text.trim().replaceAll('&amp;', '&').replaceAll('&#38;', '&').replaceAll('&#x26;', '&')
}

/** Replaces addresses of pictures. The function returns undefined for one that stays. */
export async function replacePictures(
  html: string,
  replace: (address: string) => Promise<string | undefined>,
): Promise<string> {
  let result = ''
  let done = 0
  for (const { address, from, to } of picturesOf(html)) {
    const replaced = await replace(address)
    if (replaced === undefined) continue
    result += html.slice(done, from) + replaced
    done = to
  }
  return result + html.slice(done)
}
