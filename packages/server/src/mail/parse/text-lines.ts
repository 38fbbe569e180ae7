import { foldCase } from '@crmkit/core/vocabulary'

/** A text or HTML of a message, as a reader sees it: lines of words. */
export interface ReadText {
  lines: TextLine[]
  words: string[]
  /** Of HTML: its elements and texts. */
  nodes: HtmlNode[]
}

export interface TextLine {
  /** Offsets in the content (UTF-16 units). */
  from: number
  to: number
  shown: string
  /** Places of its words in those of the text. */
  firstWord: number
  endWord: number
  /** Whether it stands in a block that its writer's program has marked as a quotation. */
  isQuoted: boolean
}

export interface HtmlNode {
  from: number
  to: number
  /** The line of a text or an image; undefined for an element and for white space. */
  line?: number
  children: HtmlNode[]
}

/** Of scripts without blanks between words every character is a word. Symbols count: one may be all that a customer adds. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}])+|[\p{So}\p{Extended_Pictographic}\ufffc]/gu
const ofScriptWithoutBlanks =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const asciiOnly = /^[\u0000-\u007f]*$/
const invisible = /[\p{Cf}\u00ad]/gu

/** Returns the words of a text in the form in which they are compared. */
export function wordsOf(text: string): string[] {
  // Most lines have no other form, and are read many times faster so.
  if (asciiOnly.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return foldCase(text.replace(invisible, '')).match(word) ?? []
}

/** Returns how much words say: two characters of a script without blanks as much as a word. */
export function weightOf(words: readonly string[]): number {
  return words.reduce((sum, one) => sum + (ofScriptWithoutBlanks.test(one) ? 0.5 : 1), 0)
}

/** Whether the address of a link that stands behind its words counts as none of them. */
type IsTarget = (url: string) => boolean
const everyTarget: IsTarget = () => true
const noTarget: IsTarget = () => false

export function readLines(content: string, contentType: string, isTarget = noTarget): ReadText {
  return contentType === 'html' ? new HtmlLines(content).read() : linesOfText(content, isTarget)
}

/** Returns the words of a text as HTML shows them: links without their addresses. */
export function wordsWithoutTargets(content: string, contentType: string): string[] {
  return readLines(content, contentType, everyTarget).words
}

function linesOfText(content: string, isTarget: IsTarget): ReadText {
  const read: ReadText = { lines: [], words: [], nodes: [] }
  let from = 0
  for (const shown of content.split('\n')) {
    const to = Math.min(from + shown.length + 1, content.length)
    const isQuoted = /^\s{0,3}>/.test(shown)
    addLine(read, { from, to, shown, isQuoted }, withoutTargets(shown, isTarget, isQuoted))
    from = to
  }
  return read
}

// bounded: a target has no bracket and no blank in it, and ends after 2,000 characters.
const targets = /<((?:https?:\/\/|mailto:)[^<>\s]{1,2000})>|(?<=\])\(([^()\s]{1,2000})\)/gi

/** A line that is nothing but a target keeps it, unless a program has marked the line: a customer may have typed it. */
function withoutTargets(line: string, isTarget: IsTarget, isMarked: boolean): string {
  if (isTarget === noTarget) return line
  const rest = line.replace(targets, (all, bracketed = '', inMarkdown = '') =>
    isTarget(bracketed || inMarkdown) ? ' ' : all,
  )
  return isMarked || wordsOf(rest).length > 0 ? rest : line
}

function addLine(
  { lines, words }: ReadText,
  line: Pick<TextLine, 'from' | 'to' | 'shown' | 'isQuoted'>,
  compared = line.shown,
) {
  const firstWord = words.length
  for (const one of wordsOf(compared)) words.push(one)
  lines.push({ ...line, firstWord, endWord: words.length })
}

const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>/g
const voidTags = new Set(['br', 'hr', 'img', 'wbr', 'col', 'area', 'input'])
/** Tags whose texts stand in the line around them. */
const inlineTags = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i img ins kbd mark q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const imageMark = '\ufffc'

/** Reads HTML that is safe already: its tags are closed, and no value of an attribute holds a bracket. */
class HtmlLines {
  readonly #html: string
  readonly #read: ReadText = { lines: [], words: [], nodes: [] }
  readonly #open: { name: string; node: HtmlNode }[] = []
  #line: { from: number; to: number; shown: string } | undefined
  /** The number of the last item of each open list; undefined for a list without numbers. */
  readonly #lists: (number | undefined)[] = []
  /** The number of an item, which its first line begins with. */
  #number = ''
  #quotes = 0
  #preformatted = 0

  constructor(html: string) {
    this.#html = html
  }

  read(): ReadText {
    let end = 0
    for (const { index, 0: all, 1: slash, 2: name = '', 3: attributes = '' } of this.#html.matchAll(tag)) {
      this.#addText(end, index)
      end = index + all.length
      if (!inlineTags.has(name)) this.#endLine()
      if (voidTags.has(name)) this.#addVoid(name, index, end)
      else if (slash === '/') this.#close(name, end)
      else this.#begin(name, attributes, index)
    }
    this.#addText(end, this.#html.length)
    this.#endLine()
    for (const { node } of this.#open) node.to = this.#html.length
    return this.#read
  }

  #add(node: HtmlNode): HtmlNode {
    const parent = this.#open.at(-1)?.node.children ?? this.#read.nodes
    parent.push(node)
    return node
  }

  #begin(name: string, attributes: string, from: number): void {
    if (name === 'ol' || name === 'ul')
      this.#lists.push(name === 'ol' ? numberIn(attributes, 'start') - 1 : undefined)
    if (name === 'li') this.#count(attributes)
    this.#open.push({ name, node: this.#add({ from, to: from, children: [] }) })
    if (name === 'blockquote') this.#quotes += 1
    if (name === 'pre') this.#preformatted += 1
  }

  #close(name: string, to: number): void {
    const closed = this.#open.pop()
    if (closed === undefined) return
    closed.node.to = to
    if (name === 'ol' || name === 'ul') this.#lists.pop()
    if (name === 'li') this.#number = ''
    if (name === 'blockquote') this.#quotes -= 1
    if (name === 'pre') this.#preformatted -= 1
  }

  /** The text of the same mail has the numbers of a list, which HTML only shows. */
  #count(attributes: string): void {
    const last = this.#lists.at(-1)
    if (last === undefined) return
    const number = attributes.includes('value=') ? numberIn(attributes, 'value') : last + 1
    this.#lists[this.#lists.length - 1] = number
    this.#number = `${number}. `
  }

  #addVoid(name: string, from: number, to: number): void {
    if (name === 'img') this.#show({ from, to, shown: imageMark })
    else this.#add({ from, to, children: [] })
  }

  #addText(from: number, to: number): void {
    if (this.#preformatted === 0) this.#addPiece(from, to)
    else
      for (let at = from; at < to; ) {
        const end = (this.#html.indexOf('\n', at) + 1 || to + 1) - 1
        this.#addPiece(at, Math.min(end + 1, to))
        if (end < to) this.#endLine()
        at = end + 1
      }
  }

  #addPiece(from: number, to: number): void {
    if (from >= to) return
    const shown = decoded(this.#html.slice(from, to))
    if (shown.trim() !== '') this.#show({ from, to, shown })
    else {
      this.#add({ from, to, children: [] })
      if (this.#line !== undefined) this.#line.shown += ' '
    }
  }

  #show({ from, to, shown }: { from: number; to: number; shown: string }): void {
    this.#add({ from, to, line: this.#read.lines.length, children: [] })
    this.#line ??= { from, to, shown: this.#number }
    this.#number = ''
    this.#line.to = to
    this.#line.shown += shown
  }

  #endLine(): void {
    const line = this.#line
    if (line === undefined) return
    this.#line = undefined
    const shown = line.shown.replace(/\s+/g, ' ')
    addLine(this.#read, { ...line, shown, isQuoted: this.#quotes > 0 || /^\s{0,3}>/.test(shown) })
  }
}

const numbers = { start: /\bstart="(-?\d{1,6})"/, value: /\bvalue="(-?\d{1,6})"/ }

function numberIn(attributes: string, name: keyof typeof numbers): number {
  return Number(numbers[name].exec(attributes)?.[1] ?? 1)
}

/** The entities that the sanitizer writes. `&amp;` comes last: `&amp;lt;` is the text `&lt;`. */
function decoded(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
}
