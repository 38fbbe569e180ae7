import { placesIn } from './known-words.ts'
import {
  type HtmlNode,
  type ReadText,
  readLines,
  type TextLine,
  weightOf,
  wordsOf,
  wordsWithoutTargets,
} from './text-lines.ts'

/*
 * A quotation is known, not guessed: words of a mail are folded when the same
 * words stand in one text that both sides know, in the same order. Everything else is shown, in every language and form.
 */

/** A text that a mail may quote, such as a message with the signature and the quotation that were sent with it. */
export interface KnownText {
  /** Null: the text is of no message. */
  messageId: string | null
  /** The first is the message itself. */
  parts: { content: string; contentType: string }[]
}

/** The conversation that a mail belongs to, as far as its quotations need it. */
export interface QuotedThread {
  texts: KnownText[]
  /** Addresses and names of those who take part, by which a program announces a quotation. */
  addresses: string[]
  names: string[]
}

/** A part of a content that is quoted: offsets in UTF-16 units, in HTML at the borders of elements. */
export interface Quotation {
  from: number
  to: number
  /** The message that it repeats; null: unknown. */
  messageId: string | null
}

/** In this many words of the known text a quotation goes on. */
const gapMax = 200
const blockWeightMin = 12
const wholeWeightMin = 4
const headersMax = 8
const announcementLinesMax = 3
const announcementLengthMax = 600
const quotationsMax = 50
/** Of the processor, not of a clock: a busy machine must not decide what is folded. */
const budgetMs = 100

/**
 * Returns the quotations of a mail in a conversation, in their order; none where nothing else would be left. Texts that are
 * left when the time is over are not compared.
 */
export function findQuotations(content: string, contentType: string, thread: QuotedThread): Quotation[] {
  const read = readLines(content, contentType, linksOf(thread))
  const before = process.cpuUsage()
  const owners = new Array<string | null | undefined>(read.lines.length).fill(undefined)
  const beginnings: Beginning[] = []
  for (const text of thread.texts) {
    const { user, system } = process.cpuUsage(before)
    // The newest come first, and hold what most mails quote.
    if ((user + system) / 1_000 > budgetMs) break
    beginnings.push({ messageId: text.messageId, words: markKnown(read, text, owners) })
  }
  const announces = announcer(thread)
  markBeginnings(read, beginnings, { owners, announces })
  joinBlocks(read.lines, owners, announces)
  markEmpty(read.lines, owners)
  markTail(read.lines, owners, announces)
  const isOwn = ({ firstWord, endWord }: TextLine, at: number) =>
    owners[at] === undefined && firstWord < endWord
  if (!read.lines.some(isOwn)) return []
  const found = contentType === 'html' ? slicesOfHtml(read.nodes, owners) : slicesOfText(read.lines, owners)
  return found.slice(-quotationsMax)
}

/** Returns where the quoted end of a content begins; null when own words follow the last quotation. */
export function quotedEnd(content: string, quotations: readonly Quotation[]): number | null {
  const last = quotations.at(-1)
  if (last === undefined) return null
  const rest = content.slice(last.to)
  return rest.replace(/<\/[a-z0-9]+>|<br \/>|&nbsp;|\s/g, '') === '' ? last.from : null
}

/** Returns whether a link leads to where the thread is, such as one that a program has written behind the words of the desk. */
function linksOf({ texts, addresses }: QuotedThread): (url: string) => boolean {
  const known = new Set(
    [...texts.flatMap(({ parts }) => parts.map(({ content }) => content)), ...addresses].flatMap(hostsIn),
  )
  // Mail servers of companies lead links through a host of their own, which names the first one.
  return (url) => hostsIn(url.replace(/%2f/gi, '/')).some((host) => known.has(host))
}

function hostsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9.-]/)
    .map((name) => name.replace(/^\.+|\.$/g, ''))
    .filter((name) => /\.[a-z]{2,63}$/.test(name))
}

/** The owners of lines: undefined for a line of the mail itself. */
type Owners = (string | null | undefined)[]

interface Block {
  lines: number[]
  /** Places of its first and its last word in the known text. */
  from: number
  to: number
  weight: number
  /** Whether a program has begun each line of a text with `>`. In HTML own words stand in the element of the quotation too. */
  isMarked: boolean
}

/**
 * Marks the lines whose words all stand in a known text, in blocks that are long enough to be no accident. Returns the words
 * of the message itself.
 */
function markKnown({ lines, words, nodes }: ReadText, text: KnownText, owners: Owners): readonly string[] {
  const [own = [], ...others] = text.parts.map((part) => wordsWithoutTargets(part.content, part.contentType))
  const places = placesIn({ lines, words }, [own, ...others].flat())
  const blocks: Block[] = []
  for (const [at, { firstWord, endWord, isQuoted }] of lines.entries()) {
    if (firstWord === endWord) continue
    if (!isInOrder(places, firstWord, endWord)) {
      blocks.push({ lines: [], from: 0, to: Number.POSITIVE_INFINITY, weight: 0, isMarked: false })
      continue
    }
    const first = places[firstWord] ?? -1
    let block = blocks.at(-1)
    if (block === undefined || first <= block.to || first > block.to + gapMax) {
      block = { lines: [], from: first, to: first, weight: 0, isMarked: nodes.length === 0 }
      blocks.push(block)
    }
    block.lines.push(at)
    block.isMarked &&= isQuoted
    block.to = places[endWord - 1] ?? -1
    block.weight += weightOf(words.slice(firstWord, endWord))
  }
  for (const block of quotedAmong(blocks, own.length))
    for (const at of block.lines) owners[at] ??= text.messageId
  return own
}

/** The words of a message, in their order. */
interface Beginning {
  messageId: string | null
  words: readonly string[]
}

/**
 * Marks the first lines of a message right below an announcement. They are few words where a customer has written
 * between the lines.
 */
function markBeginnings(
  read: ReadText,
  beginnings: readonly Beginning[],
  { owners, announces }: { owners: Owners; announces: Announcer },
): void {
  const { lines } = read
  for (const [at, line] of lines.entries()) {
    if (isEmpty(line) || owners[at] !== undefined || announces(lines, endBefore(lines, at)) === 0) continue
    const begun = beginnings.find(({ words }) => isLineAt(read, line, words, 0))
    if (begun !== undefined) markBeginning(read, at, begun, owners)
  }
}

function markBeginning(read: ReadText, first: number, { words, messageId }: Beginning, owners: Owners): void {
  let place = 0
  for (let at = first; ; at++) {
    const line = read.lines[at]
    if (line === undefined || !isLineAt(read, line, words, place)) return
    if (!isEmpty(line)) owners[at] ??= messageId
    place += line.endWord - line.firstWord
  }
}

/** Whether the words of a line stand at a place of a known text. */
function isLineAt(
  { words }: ReadText,
  { firstWord, endWord }: TextLine,
  known: readonly string[],
  place: number,
): boolean {
  if (place >= known.length) return false
  for (let at = firstWord; at < endWord; at++) if (words[at] !== known[place + at - firstWord]) return false
  return true
}

/** Returns the blocks that are long enough, and shorter ones that go on exactly where such a one ends or lead up to it. */
function quotedAmong(blocks: readonly Block[], length: number): Block[] {
  const known = blocks.filter(({ weight }) => weight >= wholeWeightMin)
  const quoted = new Set(known.filter((block) => isLongEnough(block, length)))
  const addNext = (block: Block | undefined, other: Block | undefined, isNext: boolean) => {
    if (block !== undefined && other !== undefined && isNext && quoted.has(block)) quoted.add(other)
  }
  for (const [at, block] of known.entries())
    addNext(known[at - 1], block, block.from - 1 === known[at - 1]?.to)
  for (const [back, block] of known.toReversed().entries()) {
    const before = known[known.length - 2 - back]
    addNext(block, before, block.from - 1 === before?.to)
  }
  return [...quoted]
}

/** A block is a whole message, or has as many words as no accident has. Of lines with `>` in a text a few are enough. */
function isLongEnough({ from, to, weight, isMarked }: Block, length: number): boolean {
  return weight >= (isMarked ? wholeWeightMin : blockWeightMin) || (from === 0 && to >= length - 1)
}

function isInOrder(places: readonly number[], from: number, end: number): boolean {
  let before = -1
  for (let at = from; at < end; at++) {
    const place = places[at] ?? -1
    if (place <= before || (before !== -1 && place > before + gapMax)) return false
    before = place
  }
  return true
}

/** Whether lines announce a quotation: the lines before an offset, and how many of them. */
type Announcer = (lines: readonly TextLine[], end: number, isStrict?: boolean) => number

/** The announcement of a block is folded with it, and so are those between two blocks. */
function joinBlocks(lines: readonly TextLine[], owners: Owners, announces: Announcer): void {
  for (const at of lines.keys()) {
    const isStart = owners[at] !== undefined && (at === 0 || owners[at - 1] === undefined)
    if (!isStart) continue
    const end = endBefore(lines, at)
    const count = announces(lines, end)
    const announced = count === 0 ? at : end - count
    const before = endBefore(lines, announced)
    // Between two quotations stands nothing of the customer.
    const first = before > 0 && owners[before - 1] !== undefined ? before : announced
    owners.fill(owners[at], first, at)
  }
}

/** A marked line below a quotation without any words, or with a known link alone, belongs to it. */
function markEmpty(lines: readonly TextLine[], owners: Owners): void {
  for (const [at, line] of lines.entries())
    if (isEmpty(line) && line.isQuoted && at > 0) owners[at] ??= owners[at - 1]
}

/** Returns the end of the lines before a line, without the empty ones above it. */
function endBefore(lines: readonly TextLine[], at: number): number {
  let end = at
  while (end > 0 && isEmpty(lines[end - 1])) end -= 1
  return end
}

/** Lines that a program has marked, up to the end, under an announcement that names an address of the conversation. */
function markTail(lines: readonly TextLine[], owners: Owners, announces: Announcer): void {
  let start = lines.length
  while (start > 0 && (owners[start - 1] !== undefined || isMarkedOrEmpty(lines[start - 1]))) start -= 1
  while (start < lines.length && isEmpty(lines[start])) start += 1
  if (start === lines.length || owners[start] !== undefined) return
  const end = endBefore(lines, start)
  const count = announces(lines, end, true)
  if (count === 0) return
  for (let line = end - count; line < lines.length; line++) owners[line] ??= null
}

function isEmpty(line: TextLine | undefined): boolean {
  return line !== undefined && line.firstWord === line.endWord
}

function isMarkedOrEmpty(line: TextLine | undefined): boolean {
  return isEmpty(line) || line?.isQuoted === true
}

const hasDate = /\d{1,2}[:.]\d{2}|(?:19|20)\d\d/
/** Returns how many lines above a quotation announce it: one in up to three lines, or a block of headers. */
function announcer({ addresses, names }: QuotedThread): Announcer {
  const known = new Set(addresses)
  const namesOfWords = names.map((name) => wordsOf(name)).filter((name) => name.join('').length > 1)
  // bounded: it reads lines and headers of at most 600 characters.
  const namesAddress = (text: string) =>
    (text.toLowerCase().match(/[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+/g) ?? []).some((one) => known.has(one))
  const namesPerson = (text: string) => {
    if (namesAddress(text)) return true
    const words = ` ${wordsOf(text).join(' ')} `
    return namesOfWords.some((name) => words.includes(` ${name.join(' ')} `))
  }
  const isLine = (text: string, isStrict: boolean) => {
    const line = text.trim()
    const isShort = line.length <= announcementLengthMax
    return (
      isShort && /[-:：]$/.test(line) && hasDate.test(line) && (isStrict ? namesAddress : namesPerson)(line)
    )
  }
  return (lines, end, isStrict = false) => {
    const shown = (at: number) => lines[at]?.shown.replace(/^[\s>]+/, '') ?? ''
    for (let count = 1; count <= Math.min(announcementLinesMax, end); count++) {
      const joined = Array.from({ length: count }, (_, at) => shown(end - count + at)).join(' ')
      if (isLine(joined, isStrict)) return withMarker(end - count, count)
    }
    let start = end
    while (start > 0 && end - start < headersMax && isHeader(shown(start - 1))) start -= 1
    const headers = Array.from({ length: end - start }, (_, at) => shown(start + at))
    const people = headers.filter(namesPerson).length
    const isBlock = headers.length >= 3 && people >= 2 && headers.some((header) => hasDate.test(header))
    return isBlock && (!isStrict || headers.some(namesAddress)) ? withMarker(start, end - start) : 0

    /** A line such as `-----Original Message-----` above it belongs to it. */
    function withMarker(first: number, count: number): number {
      const above = endBefore(lines, first)
      const isMarker = above > 0 && /^-{2,}[^-].{0,60}-{2,}\s*$/.test(shown(above - 1))
      return isMarker ? count + first - above + 1 : count
    }
  }
}

function isHeader(line: string): boolean {
  return /^\*?\p{L}[^:：]{0,30}[:：]/u.test(line) && line.length <= announcementLengthMax
}

function slicesOfText(lines: readonly TextLine[], owners: Owners): Quotation[] {
  const slices: Quotation[] = []
  lines.forEach(({ from, to }, at) => {
    const messageId = owners[at]
    if (messageId === undefined) return
    const last = slices.at(-1)
    if (last !== undefined && isJoined(lines, owners, at)) last.to = to
    else slices.push({ from, to, messageId })
  })
  return slices
}

/** Whether nothing but empty lines stands between a quoted line and the one before it. */
function isJoined(lines: readonly TextLine[], owners: Owners, at: number): boolean {
  let before = at - 1
  while (before >= 0 && owners[before] === undefined && isEmpty(lines[before])) before -= 1
  return before >= 0 && owners[before] !== undefined
}

/** Slices of whole elements and texts, so that each of them can be shown alone. */
function slicesOfHtml(nodes: readonly HtmlNode[], owners: Owners): Quotation[] {
  const slices: Quotation[] = []
  let open: Quotation | undefined
  for (const node of nodes) {
    const { isQuoted, isOwn, messageId } = stateOf(node, owners)
    if (isQuoted && !isOwn) {
      if (open === undefined) {
        open = { from: node.from, to: node.to, messageId }
        slices.push(open)
      }
      open.to = node.to
    } else if (isOwn) {
      open = undefined
      if (isQuoted) slices.push(...slicesOfHtml(node.children, owners))
    }
  }
  return slices
}

interface NodeState {
  isQuoted: boolean
  isOwn: boolean
  messageId: string | null
}

const states = new WeakMap<HtmlNode, NodeState>()

/** Each node is asked by each level above it, so its state is kept. */
function stateOf(node: HtmlNode, owners: Owners): NodeState {
  const known = states.get(node)
  if (known !== undefined) return known
  const owner = node.line === undefined ? undefined : owners[node.line]
  const state: NodeState = {
    isQuoted: owner !== undefined,
    isOwn: node.line !== undefined && owner === undefined,
    messageId: owner ?? null,
  }
  for (const child of node.children) {
    const { isQuoted, isOwn, messageId } = stateOf(child, owners)
    if (isQuoted && !state.isQuoted) state.messageId = messageId
    state.isQuoted ||= isQuoted
    state.isOwn ||= isOwn
  }
  states.set(node, state)
  return state
}
