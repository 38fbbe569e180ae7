import { contentLengthMax } from '@crmkit/core'
import type sanitizeHtml from 'sanitize-html'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { withPlainMailto } from '../../shared/plain-mailto.ts'
import { isFileUrl } from './inline-images.ts'
import { MailRefused } from './mail-refused.ts'
import { isAttribution, isHeaderBlock } from './quoted-text.ts'

const sanitizer = atFirstUse<typeof sanitizeHtml>('sanitize-html')

const depthMax = 512
/** Containers that mail programs put around quoted text, by their class or id. */
const quoteNames =
  /\b(gmail_quote|gmail_extra|gmail_attr|yahoo_quoted|protonmail_quote|moz-cite-prefix|moz-email-headers-table|OutlookMessageHeader|zmail_extra|tutanota_quote|divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|x_divRplyFwdMsg|reply-intro|isForwardContent)\b/
const mark = 'data-quote'

/** HTML of a mail as it may be shown. */
export interface SafeHtml {
  html: string
  quotedFrom: number | null
  truncated: boolean
}

/** Returns the URL that an image is shown by; undefined for one that is not shown. */
type ImageUrl = (src: string) => string | undefined

/**
 * Returns HTML reduced to tags that run nothing and load nothing from elsewhere in a reader's browser, with the offset at
 * which quoted text begins. `imageUrl` chooses the images that stay. Throws `MailRefused` when it is nested too deep.
 */
export function safeMailHtml(source: string, imageUrl: ImageUrl = () => undefined): SafeHtml {
  const marked = sanitize(source, imageUrl)
  // Read a second time: a tag that is left out closes nothing, and where it stood other tags close each other.
  for (let length = contentLengthMax; ; length -= 4_096) {
    const html = sanitize(withoutOpenTag(marked.slice(0, length)), keptFileUrl)
    // Tags that a cut leaves open are closed, which may make it longer than the cut itself.
    if (html.length <= contentLengthMax) return withoutMarks(html, length < marked.length)
  }
}

const keptFileUrl: ImageUrl = (src) => (isFileUrl(src) ? src : undefined)

/** The end of a text that was cut may be the beginning of a tag. In safe HTML no value of an attribute holds a bracket. */
function withoutOpenTag(html: string): string {
  const open = html.lastIndexOf('<')
  return open > html.lastIndexOf('>') ? html.slice(0, open) : html
}

/** An image that is left out. The sanitizer closes what it has opened by its own name, so no tag is renamed. */
const leftOut: sanitizeHtml.Tag = { tagName: 'img', attribs: { 'data-left-out': '1' } }
const leftOutHtml = '<img data-left-out="1" />'

function sanitize(source: string, imageUrl: ImageUrl): string {
  let depth = 0
  const clean = sanitizer()
  const html = clean(source, {
    allowedTags: [...clean.defaults.allowedTags, 'img'],
    allowedAttributes: {
      a: ['href', 'name'],
      img: ['src', 'data-remote', 'data-left-out', 'alt', 'width', 'height'],
      '*': [mark],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    nonTextTags: ['script', 'style', 'textarea', 'option', 'title', 'noscript'],
    transformTags: {
      '*': (tagName, attribs) =>
        tagName === 'img'
          ? imageOf(attribs, imageUrl)
          : { tagName, attribs: marksOf(tagName, withPlainMailto(attribs)) },
    },
    onOpenTag: () => {
      depth += 1
      if (depth > depthMax) throw new MailRefused('too_complex')
    },
    onCloseTag: () => {
      depth -= 1
    },
  })
  return html.replaceAll(leftOutHtml, '').trim()
}

function marksOf(
  tagName: string,
  { [mark]: known, ...attribs }: sanitizeHtml.Attributes,
): sanitizeHtml.Attributes {
  const { class: className = '', id = '' } = attribs
  const isQuote = tagName === 'blockquote' || quoteNames.test(`${className} ${id}`) || known === '1'
  return isQuote ? { ...attribs, [mark]: '1' } : attribs
}

/**
 * Returns an image of the mail with the URL that shows it, or, of an image of the web, a placeholder that loads nothing:
 * its address is in `data-remote`. One of at most two pixels is there to be counted, so it is left out.
 */
function imageOf(
  {
    src = '',
    'data-remote': known = '',
    alt = '',
    width = '',
    height = '',
    style = '',
  }: sanitizeHtml.Attributes,
  imageUrl: ImageUrl,
): sanitizeHtml.Tag {
  const size = Object.entries({ width, height }).filter(([, pixels]) => /^\d{1,4}$/.test(pixels))
  const url = imageUrl(src.trim())
  // The source comes first: by it the stored URL is put in.
  if (url !== undefined) return { tagName: 'img', attribs: { src: url, alt, ...Object.fromEntries(size) } }
  const remote = remoteUrl(src.trim() || known)
  if (remote === undefined || isTracker([width, height], style)) return leftOut
  return { tagName: 'img', attribs: { 'data-remote': remote, alt, ...Object.fromEntries(size) } }
}

/** Returns the address of an image of the web; undefined for any other address. */
function remoteUrl(src: string): string | undefined {
  const url = src.startsWith('//') ? `https:${src}` : src
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}

const trackerPixelsMax = 2

function isTracker(attributes: readonly string[], style: string): boolean {
  const declared = style
    .split(';')
    .filter((each) => /^\s*(?:width|height)\s*:/i.test(each))
    .map((each) => each.slice(each.indexOf(':') + 1))
  return [...attributes, ...declared].some((text) => {
    const [, pixels] = /^(\d+(?:\.\d+)?)(?:px)?$/i.exec(text.trim()) ?? []
    return pixels !== undefined && Number(pixels) <= trackerPixelsMax
  })
}

interface Child {
  html: string
  text: string
  /** Whether it is, or begins with, a container of quoted text. */
  isQuote: boolean
}

const markText = ` ${mark}="1"`

function withoutMarks(marked: string, truncated: boolean): SafeHtml {
  const inner = unwrap(marked)
  const children = childrenOf(inner)
  const first = firstQuoted(children)
  const strip = (html: string) => html.replaceAll(markText, '')
  const html = strip(inner)
  if (first === undefined) return { html, quotedFrom: null, truncated }
  const before = strip(
    children
      .slice(0, first)
      .map((child) => child.html)
      .join(''),
  )
  return { html, quotedFrom: before.length, truncated }
}

/** Removes containers around everything: the quoted text has to begin at a child of the root. */
function unwrap(html: string): string {
  const boxes = boxesOf(html)
  let [start, end] = trimmed(html, [0, html.length])
  for (let box = boxes.get(start); box?.end === end; box = boxes.get(start)) {
    const inner: Range = [start + box.openLength, end - box.closeLength]
    ;[start, end] = trimmed(html, inner)
  }
  return html.slice(start, end)
}

type Range = [start: number, end: number]

/** Returns the range without the white space around it. */
function trimmed(html: string, [from, to]: Range): Range {
  let [start, end] = [from, to]
  while (start < end && blank.test(html.charAt(start))) start += 1
  while (end > start && blank.test(html.charAt(end - 1))) end -= 1
  return [start, end]
}

interface Box {
  openLength: number
  closeLength: number
  end: number
}

/** Returns the elements that are nothing but containers, by the offset at which each begins. */
function boxesOf(html: string): Map<number, Box> {
  const boxes = new Map<number, Box>()
  const open: { index: number; openLength: number; isBox: boolean }[] = []
  for (const { index, 0: all, 1: slash, 2: name = '' } of html.matchAll(tag)) {
    if (voidTags.has(name)) continue
    if (slash !== '/') {
      open.push({ index, openLength: all.length, isBox: all === '<div>' || all === '<center>' })
      continue
    }
    const { index: begin, openLength, isBox } = open.pop() ?? { index, openLength: 0, isBox: false }
    if (isBox) boxes.set(begin, { openLength, closeLength: all.length, end: index + all.length })
  }
  return boxes
}

const blank = /\s/
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>/g
const voidTags = new Set(['br', 'hr', 'img', 'wbr', 'col', 'area', 'input'])

/** Splits safe HTML, whose tags are all closed, into the children of its root. */
function childrenOf(html: string): Child[] {
  const ends: number[] = []
  let depth = 0
  for (const { index, 0: all, 1: slash, 2: name = '' } of html.matchAll(tag)) {
    const change = slash === '/' ? -1 : voidTags.has(name) ? 0 : 1
    // A child begins at a tag of the root, and ends behind the tag that closes it.
    if (depth === 0) ends.push(index)
    depth += change
    if (depth === 0) ends.push(index + all.length)
  }
  const starts = [0, ...ends]
  return starts
    .map((start, at) => html.slice(start, ends[at] ?? html.length))
    .filter((text) => text !== '')
    .map(childOf)
}

/** An image may be all that a customer has added, so it counts as text. */
const image = /<img\b[^<>]*>/g

function childOf(html: string): Child {
  const lines = html
    .replace(/<br \/>|<\/(p|div|tr|li)>/g, '\n')
    .replace(image, '\ufffc')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/&gt;/g, '>')
  const isQuote = /^(?:\s|<(?!blockquote)[^>]*>)*<[^>]* data-quote="1"/.test(html) && !hasTextBeforeMark(html)
  return { html, text: lines.trim(), isQuote }
}

function hasTextBeforeMark(html: string): boolean {
  const before = html.slice(0, html.indexOf(markText))
  return (
    before
      .replace(image, '\ufffc')
      .replace(/<[^<>]*>?/g, '')
      .trim() !== ''
  )
}

/** Returns the first child of the quoted end; undefined when there is none, or when nothing else would be left. */
function firstQuoted(children: readonly Child[]): number | undefined {
  const block = children.findIndex((_, at) => isBlockAt(children, at))
  const end = block === -1 ? children.length : block
  const quotes = children.slice(0, end).flatMap(({ isQuote }, at) => (isQuote ? [at] : []))
  const [first = end] = quotes
  if (first === children.length) return undefined
  const quotedEnd = children.slice(first, end)
  const hasWordsAfter = quotedEnd.some(({ isQuote, text }) => !isQuote && text !== '')
  if (hasWordsAfter) return undefined
  const start = withAttribution(children, first)
  return children.slice(0, start).some(({ text }) => text !== '') ? start : undefined
}

/** Headers of a quoted mail as Outlook writes them, in one child or in the first of several. */
function isBlockAt(children: readonly Child[], at: number): boolean {
  const [first = '', ...rest] = (children[at]?.text ?? '').split('\n').filter((line) => line.trim() !== '')
  if (first === '') return false
  const next = children.slice(at + 1, at + 4).map(({ text }) => text)
  return isHeaderBlock([first, ...rest, ...next])
}

/** The announcement above a quotation is folded with it. */
function withAttribution(children: readonly Child[], first: number): number {
  let start = first
  while (start > 0 && children[start - 1]?.text === '') start -= 1
  const announced = children[start - 1]?.text
  return announced !== undefined && isAttribution(announced.replaceAll('\n', ' ')) ? start - 1 : first
}
