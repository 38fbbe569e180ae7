/*
 * Newsletters begin with a line for lists of mails alone, in an element that no mail program shows. It is left
 * out of what a person reads here too.
 */

/** The attribute that marks such an element for `withoutHidden`. No sender writes it: the sanitizer is given it anew. */
export const hiddenMark = 'data-hidden'

type Attributes = Record<string, string>

const hidingWord = /^(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0+(?:\.0+)?)$/i
const noSpace = /^(?:max-)?(?:height|width)\s*:\s*0+(?:\.0+)?(?:px|pt|em|%)?$/i
const cutOff = /^overflow\s*:\s*hidden$/i

/** Whether a style hides the words of its element from every reader. A font of no size is that of cells with words of their own. */
function isHiding(style: string): boolean {
  const declarations = style.split(';').map((each) => each.replace(/!\s*important/i, '').trim())
  return (
    declarations.some((each) => hidingWord.test(each)) ||
    (declarations.some((each) => cutOff.test(each)) && declarations.some((each) => noSpace.test(each)))
  )
}

/** Returns attributes that are kept, with the mark where the element is hidden. */
export function withHiddenMark({ [hiddenMark]: _, ...kept }: Attributes, given: Attributes): Attributes {
  const isHidden = given['hidden'] !== undefined || isHiding(given['style'] ?? '')
  return isHidden ? { ...kept, [hiddenMark]: '1' } : kept
}

const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>/g
const voidTags = new Set(['br', 'hr', 'img', 'wbr', 'col', 'area', 'input'])

/** Returns HTML without the elements that are marked. Its tags are closed, and no value of an attribute holds a bracket. */
export function withoutHidden(html: string): string {
  let kept = ''
  let from = 0
  let hidden: HiddenElement | undefined
  for (const { index, 0: all, 1: slash, 2: name = '', 3: attributes = '' } of html.matchAll(tag)) {
    const end = index + all.length
    if (hidden !== undefined) {
      hidden.count(name, slash === '/')
      if (!hidden.isClosed) continue
      from = end
      hidden = undefined
    } else if (attributes.includes(` ${hiddenMark}="1"`)) {
      kept += html.slice(from, index)
      from = end
      hidden = voidTags.has(name) ? undefined : new HiddenElement(name)
    }
  }
  return hidden === undefined ? kept + html.slice(from) : kept
}

/** An element ends with the tag that closes the first one of its name. */
class HiddenElement {
  readonly #name: string
  #open = 1

  constructor(name: string) {
    this.#name = name
  }

  get isClosed(): boolean {
    return this.#open === 0
  }

  count(name: string, isEnd: boolean): void {
    if (name === this.#name) this.#open += isEnd ? -1 : 1
  }
}
