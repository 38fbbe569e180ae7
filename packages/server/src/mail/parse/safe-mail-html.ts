import { contentLengthMax } from '@crmkit/core'
import type sanitizeHtml from 'sanitize-html'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { withPlainMailto } from '../../shared/plain-mailto.ts'
import { withoutDeepTags } from './deep-tags.ts'
import { hiddenMark, withHiddenMark, withoutHidden } from './hidden-elements.ts'
import { isFileUrl } from './inline-images.ts'

const sanitizer = atFirstUse<typeof sanitizeHtml>('sanitize-html')

/** Deeper elements are left out, and their words stay: a thread of a year is one quotation in the other. */
const depthMax = 200
/** The ends of tags that a cut leaves open are about as long. */
const closingReserve = 4_096

/** HTML of a mail as it may be shown. */
export interface SafeHtml {
  html: string
  truncated: boolean
}

/** Returns the URL that an image is shown by; undefined for one that is not shown. */
type ImageUrl = (src: string) => string | undefined

/**
 * Returns HTML reduced to tags that run nothing and load nothing from elsewhere in a reader's browser. `imageUrl` chooses
 * the images that stay.
 */
export function safeMailHtml(source: string, imageUrl: ImageUrl = () => undefined): SafeHtml {
  const marked = sanitize(withoutDeepTags(source), imageUrl)
  const visible = withoutHidden(marked)
  // A mail of nothing but hidden words says them.
  const whole = visible.replace(/<(?!img)[^<>]*>|&nbsp;|\s/g, '') === '' ? marked : visible
  // Read a second time: a tag that is left out closes nothing, and where it stood other tags close each other.
  const isLonger = whole.length > contentLengthMax
  for (let length = contentLengthMax - (isLonger ? closingReserve : 0); ; length -= closingReserve) {
    const html = sanitize(withoutOpenTag(whole.slice(0, length)), keptFileUrl)
    // Tags that a cut leaves open are closed, which may make it longer than the cut itself.
    if (html.length <= contentLengthMax) return { html, truncated: length < whole.length }
  }
}

const keptFileUrl: ImageUrl = (src) => (isFileUrl(src) ? src : undefined)

/** The end of a text that was cut may be the beginning of a tag. In safe HTML no value of an attribute holds a bracket. */
function withoutOpenTag(html: string): string {
  const open = html.lastIndexOf('<')
  return open > html.lastIndexOf('>') ? html.slice(0, open) : html
}

const clean = {
  align: /^(?:left|right|center|justify)$/i,
  /** At most nine pixels, as around the cells of a table. */
  border:
    /^(?:(?:\d(?:\.\d{1,2})?(?:px|pt)?|[a-z]{3,20}|#[\da-f]{3,8}|rgba?\([\d\s.,%]{1,40}\))(?: |$)){1,3}$/i,
  count: /^\d{1,3}$/,
  number: /^-?\d{1,6}$/,
  colour: /^(?:#[\da-f]{3,8}|[a-z]{3,20}|rgba?\([\d\s.,%]{1,40}\))$/i,
}

/** Attributes that say something about the words, by their values. */
const attributes: Readonly<Record<string, RegExp>> = {
  align: clean.align,
  bgcolor: clean.colour,
  border: /^\d$/,
  color: clean.colour,
  colspan: clean.count,
  dir: /^(?:ltr|rtl|auto)$/i,
  // A mail has no page: a relative address would lead into the reader's own.
  href: /^(?:https?:|mailto:|tel:)/i,
  reversed: /^(?:reversed)?$/i,
  rowspan: clean.count,
  start: clean.number,
  style: /./,
  type: /^[1aAiI]$/,
  value: clean.number,
}

const styles: Readonly<Record<string, RegExp>> = {
  'background-color': clean.colour,
  border: clean.border,
  'border-bottom': clean.border,
  'border-collapse': /^(?:collapse|separate)$/i,
  'border-left': clean.border,
  'border-right': clean.border,
  'border-top': clean.border,
  color: clean.colour,
  direction: /^(?:ltr|rtl)$/i,
  'font-style': /^(?:italic|oblique|normal)$/i,
  'font-weight': /^(?:bold|bolder|normal|[1-9]00)$/i,
  'list-style-type': /^[a-z-]{3,30}$/i,
  padding: /^(?:\d{1,2}(?:\.\d{1,2})?(?:px|pt|cm)?(?: |$)){1,4}$/i,
  'text-align': /^(?:left|right|center|justify|start|end)$/i,
  'text-decoration': /^(?:none|underline|line-through|overline)(?: (?:underline|line-through|overline))*$/i,
  'white-space': /^(?:normal|nowrap|pre|pre-wrap|pre-line)$/i,
}
const otherNames: Readonly<Record<string, string>> = {
  background: 'background-color',
  'text-decoration-line': 'text-decoration',
}

/** Returns the declarations that change what the words say, such as words that are struck out; `''` for none. */
function safeStyle(style: string): string {
  const kept = style.split(';').flatMap((declaration) => {
    const colon = declaration.indexOf(':')
    const given = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const name = otherNames[given] ?? given
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important/i, '')
      .trim()
    return styles[name]?.test(value) ? [`${name}:${value}`] : []
  })
  return kept.join(';')
}

function attributesOf(attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const kept = Object.entries(attribs).flatMap(([name, value]) => {
    const checked = attributes[name]
    if (checked === undefined) return [[name, value]]
    const shown = name === 'style' ? safeStyle(value) : value.trim()
    return checked.test(shown) ? [[name, shown]] : []
  })
  return Object.fromEntries(kept)
}

/** An image that is left out. The sanitizer closes what it has opened by its own name, so no tag is renamed. */
const leftOut = (alt: string): sanitizeHtml.Tag => ({
  tagName: 'img',
  attribs: { 'data-left-out': '1', alt },
})
const leftOutHtml = /<img data-left-out="1" alt="([^"<>]*)" \/>/g

function sanitize(source: string, imageUrl: ImageUrl): string {
  const sanitizeText = sanitizer()
  const html = sanitizeText(source, {
    allowedTags: [...sanitizeText.defaults.allowedTags, 'center', 'del', 'font', 'img', 'ins', 'strike'],
    allowedAttributes: {
      a: ['href', 'name'],
      font: ['color'],
      img: ['src', 'data-remote', 'data-left-out', 'alt', 'width', 'height'],
      li: ['value'],
      ol: ['start', 'reversed', 'type'],
      table: ['bgcolor', 'border'],
      td: ['colspan', 'rowspan', 'bgcolor'],
      th: ['colspan', 'rowspan', 'bgcolor'],
      tr: ['bgcolor'],
      '*': ['align', 'dir', 'style', hiddenMark],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    nonTextTags: ['script', 'style', 'textarea', 'option', 'title', 'noscript'],
    nestingLimit: depthMax,
    // The values are checked here: a parser of styles would read all of them for a few.
    parseStyleAttributes: false,
    transformTags: {
      '*': (tagName, attribs) =>
        tagName === 'img'
          ? imageOf(attribs, imageUrl)
          : { tagName, attribs: withHiddenMark(attributesOf(withPlainMailto(attribs)), attribs) },
    },
  })
  return html.replace(leftOutHtml, '$1').trim()
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
  const words = safeStyle(style)
  const look = words === '' ? {} : { style: words }
  // The source comes first: by it the stored URL is put in.
  if (url !== undefined)
    return { tagName: 'img', attribs: { src: url, alt, ...Object.fromEntries(size), ...look } }
  const remote = remoteUrl(src.trim() || known)
  if (remote === undefined) return leftOut(alt)
  if (isTracker([width, height], style)) return leftOut('')
  return { tagName: 'img', attribs: { 'data-remote': remote, alt, ...Object.fromEntries(size), ...look } }
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
