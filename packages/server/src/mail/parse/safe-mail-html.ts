import { contentLengthMax } from '@crmkit/core'
import type sanitizeHtml from 'sanitize-html'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { isFileUrl } from '../inline-images.ts'
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
  if (marked.length <= contentLengthMax) return withoutMarks(marked, false)
  let cut = marked
  // A cut opens no tag that it does not close, which may make it longer than the cut itself.
  for (let length = contentLengthMax; cut.length > contentLengthMax; length -= 4_096) {
    cut = sanitize(marked.slice(0, length).replace(/<[^>]*$/, ''), (src) =>
      isFileUrl(src) ? src : undefined,
    )
  }
  return withoutMarks(cut, true)
}

/** A tag that is not allowed: it is left out. */
const leftOut = { tagName: 'left-out', attribs: {} }

function sanitize(source: string, imageUrl: ImageUrl): string {
  let depth = 0
  const clean = sanitizer()
  return clean(source, {
    allowedTags: [...clean.defaults.allowedTags, 'img'],
    allowedAttributes: { a: ['href', 'name'], img: ['src', 'alt', 'width', 'height'], '*': [mark] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    nonTextTags: ['script', 'style', 'textarea', 'option', 'title', 'noscript'],
    transformTags: {
      '*': (tagName, attribs) =>
        tagName === 'img' ? imageOf(attribs, imageUrl) : { tagName, attribs: marksOf(tagName, attribs) },
    },
    onOpenTag: () => {
      depth += 1
      if (depth > depthMax) throw new MailRefused('too_complex')
    },
    onCloseTag: () => {
      depth -= 1
    },
  }).trim()
}

function marksOf(
  tagName: string,
  { [mark]: known, ...attribs }: sanitizeHtml.Attributes,
): sanitizeHtml.Attributes {
  const { class: className = '', id = '' } = attribs
  const isQuote = tagName === 'blockquote' || quoteNames.test(`${className} ${id}`) || known === '1'
  return isQuote ? { ...attribs, [mark]: '1' } : attribs
}

function imageOf(
  { src = '', alt = '', width = '', height = '' }: sanitizeHtml.Attributes,
  imageUrl: ImageUrl,
): sanitizeHtml.Tag {
  const url = imageUrl(src.trim())
  if (url === undefined) return leftOut
  const size = Object.entries({ width, height }).filter(([, pixels]) => /^\d{1,4}$/.test(pixels))
  // The source comes first: by it the stored URL is put in.
  return { tagName: 'img', attribs: { src: url, alt, ...Object.fromEntries(size) } }
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
  for (let inner = html.trim(); ; ) {
    const [only, another] = childrenOf(inner).filter(({ html: each }) => each.trim() !== '')
    const wrapper =
      another === undefined
        ? /^<(?:div|center)>([\s\S]*)<\/(?:div|center)>$/.exec(only?.html.trim() ?? '')
        : null
    if (wrapper === null) return inner
    inner = (wrapper[1] ?? '').trim()
  }
}

const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s[^>]*)?)>/g
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
const image = /<img\b[^>]*>/g

function childOf(html: string): Child {
  const lines = html
    .replace(/<br \/>|<\/(p|div|tr|li)>/g, '\n')
    .replace(image, '\ufffc')
    .replace(/<[^>]*>/g, '')
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
      .replace(/<[^>]*>?/g, '')
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
