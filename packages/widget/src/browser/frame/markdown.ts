import { hrefOf, linkify } from './linkify.ts'

/** A part of a text in Markdown. Nothing of it is markup: the frame makes an element of each part, and text nodes of the rest. */
export type MarkdownNode = string | MarkdownElement

export interface MarkdownElement {
  tag: 'strong' | 'em' | 'code' | 'pre' | 'ul' | 'ol' | 'li' | 'a'
  /** Of a link: only http, https and mailto. */
  href?: string
  children: MarkdownNode[]
}

/**
 * In this order: an escaped sign, an address, a piece of code, a link or a picture, strong, emphasis. Each stops at the next sign of
 * its kind, so every character is read a few times at most.
 */
const inline =
  /\\([!-/:-@[-`{-~])|(https?:\/\/[^\s<>"'*`\\]+)|`([^`\n]+)`|!?\[([^\][\n]{1,500})\]\(([^()\s]{1,2000})\)|\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\n]+)\*|_([^_\n]+)_/g
const isWord = /[\p{L}\p{N}_]/u
const fence = /^ {0,3}```/
const item = /^ {0,3}(?:[-*+]|(\d{1,9})[.)]) +(?=\S)/

/** A blank beside a sign, or a letter outside of an underscore, makes no emphasis: `2 * 3 * 4`, `snake_case`. */
function isEmphasis(
  text: string,
  { sign, inner, index, end }: Record<'index' | 'end', number> & Record<'sign' | 'inner', string>,
): boolean {
  if (inner.trim() !== inner) return false
  return sign === '*' || !(isWord.test(text.charAt(index - 1)) || isWord.test(text.charAt(end)))
}

function plain(text: string): MarkdownNode[] {
  return linkify(text).map(({ text: part, href }) =>
    href === undefined ? part : { tag: 'a', href, children: [part] },
  )
}

function elementOf(match: RegExpExecArray, text: string): MarkdownNode[] | undefined {
  const [whole, escaped, address, code, label, target, strong, strong2, emphasis, emphasis2] = match
  if (escaped !== undefined) return [escaped]
  if (address !== undefined) return plain(address)
  if (code !== undefined) return [{ tag: 'code', children: [code] }]
  if (label !== undefined && target !== undefined) {
    const href = hrefOf(target)
    return href === undefined ? undefined : [{ tag: 'a', href, children: [label] }]
  }
  const inner = strong ?? strong2 ?? emphasis ?? emphasis2 ?? ''
  const sign = whole.charAt(0)
  if (!isEmphasis(text, { sign, inner, index: match.index, end: match.index + whole.length }))
    return undefined
  const isStrong = (strong ?? strong2) !== undefined
  return [{ tag: isStrong ? 'strong' : 'em', children: inlineOf(inner) }]
}

/** Returns the next match. The position is given each time, because the texts inside of others are read meanwhile. */
function nextMatch(text: string, from: number): RegExpExecArray | null {
  inline.lastIndex = from
  return inline.exec(text)
}

function inlineOf(text: string): MarkdownNode[] {
  const nodes: MarkdownNode[] = []
  let pending = ''
  let end = 0
  const flush = () => {
    if (pending !== '') nodes.push(...plain(pending))
    pending = ''
  }
  for (let match = nextMatch(text, 0); match !== null; match = nextMatch(text, end)) {
    const found = elementOf(match, text)
    pending += text.slice(end, match.index)
    // Signs that mean nothing stay as they are, and the text behind the first one is read again.
    const isPlain = found === undefined || match[1] !== undefined
    end = match.index + (found === undefined ? 1 : match[0].length)
    if (isPlain) {
      pending += match[1] ?? match[0].charAt(0)
      continue
    }
    flush()
    nodes.push(...found)
  }
  pending += text.slice(end)
  flush()
  return nodes
}

interface Blocks {
  nodes: MarkdownNode[]
  /** Lines of text that belong together. */
  lines: string[]
  list: MarkdownElement | undefined
}

function endText(blocks: Blocks): void {
  const text = blocks.lines.join('\n').replace(/^\n+/, '').trimEnd()
  if (text !== '') for (const node of inlineOf(text)) blocks.nodes.push(node)
  blocks.lines = []
}

function addItem(blocks: Blocks, line: string, [sign, number]: RegExpExecArray): void {
  endText(blocks)
  const tag = number === undefined ? 'ul' : 'ol'
  if (blocks.list?.tag !== tag) {
    blocks.list = { tag, children: [] }
    blocks.nodes.push(blocks.list)
  }
  blocks.list.children.push({ tag: 'li', children: inlineOf(line.slice(sign.length)) })
}

/** Reads a fixed part of Markdown: strong, emphasis, code, lists and links. Everything else, HTML too, stays as it was written. */
export function readMarkdown(source: string): MarkdownNode[] {
  const blocks: Blocks = { nodes: [], lines: [], list: undefined }
  const lines = source.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const found = item.exec(line)
    if (fence.test(line)) {
      endText(blocks)
      const start = index + 1
      let end = start
      while (end < lines.length && !fence.test(lines[end] ?? '')) end += 1
      blocks.list = undefined
      blocks.nodes.push({ tag: 'pre', children: [lines.slice(start, end).join('\n')] })
      index = end
    } else if (found) addItem(blocks, line, found)
    else {
      if (line.trim() !== '') blocks.list = undefined
      blocks.lines.push(line)
    }
  }
  endText(blocks)
  return blocks.nodes
}
