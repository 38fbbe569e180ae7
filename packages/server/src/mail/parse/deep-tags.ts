/** No person writes tags that stand deeper; the parser pays for each tag with the depth that it stands in. */
const depthMax = 1_000

const anyTag = /<(\/?)([a-z][a-z\d]{0,20})(?![a-z\d])[^<>]*>?/gi
/** They need no end, or the next one ends them. */
const closesItself = /^(?:br|hr|img|input|meta|link|col|area|base|embed|wbr|p|li|td|th|tr|dt|dd|option)$/

/** Returns HTML without the tags that stand too deep, and without ends that end nothing; all words stay. */
export function withoutDeepTags(html: string): string {
  const tags = new OpenTags()
  return html.replace(anyTag, (tag, slash: string, name: string) =>
    tags.keeps(name.toLowerCase(), slash === '/') ? tag : '',
  )
}

/** The tags that are open, by their names: as many ends may come. */
class OpenTags {
  #depth = 0
  readonly #open = new Map<string, number>()
  readonly #leftOut = new Map<string, number>()

  /** Whether the next tag stays. */
  keeps(name: string, isEnd: boolean): boolean {
    if (closesItself.test(name)) return this.#depth < depthMax
    return isEnd ? this.#keepsEnd(name) : this.#keepsBeginning(name)
  }

  #keepsBeginning(name: string): boolean {
    const isKept = this.#depth < depthMax
    count(isKept ? this.#open : this.#leftOut, name, 1)
    if (isKept) this.#depth += 1
    return isKept
  }

  #keepsEnd(name: string): boolean {
    if (this.#leftOut.get(name)) {
      count(this.#leftOut, name, -1)
      return false
    }
    if (!this.#open.get(name)) return false
    count(this.#open, name, -1)
    this.#depth -= 1
    return true
  }
}

function count(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}
