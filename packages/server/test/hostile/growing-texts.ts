import { worstUnits } from './hostile-texts.ts'

export type GrowingText = (length: number) => string

/** The unit repeated, between two letters that keep it from being trimmed. */
const repeated =
  (unit: string): GrowingText =>
  (length) =>
    `a${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length - 1).concat('b')

/** As many beginnings as ends, each in the one before. */
const nested =
  (open: string, close: string): GrowingText =>
  (length) => {
    const depth = Math.floor(length / (open.length + close.length))
    return `${open.repeat(depth)}a${close.repeat(depth)}`
  }

/** Parts that all differ, each made of its number. */
const numbered =
  (make: (index: number) => string): GrowingText =>
  (length) => {
    const parts: string[] = []
    for (let size = 0; size < length; ) {
      const part = make(parts.length)
      parts.push(part)
      size += part.length
    }
    return parts.join('').slice(0, length)
  }

const units: Readonly<Record<string, string>> = {
  ...worstUnits,
  tabs: '\t',
  'blank lines': '\r\n \r\n',
  'ends of lines': '\n',
  returns: '\r',
  'empty bytes': '\0',
  braces: '{{',
  'closed braces': '{{ a }}',
  'open brackets': '<',
  quotes: '"',
  'quoted quotes': '\\"',
  parentheses: '(',
  stars: '*',
  underscores: '_a_',
  backticks: '`',
  'square brackets': '[',
  links: '[a](b)',
  'exclamation marks': '!',
  plus: '+1',
  letters: 'a',
  'invisible marks of direction': '\u202e\u200b',
  'joined pictures': '\u{1f468}\u200d',
  'addresses that end in signs': 'a@b.c!,',
  'beginnings of addresses': 'https://',
  'beginnings of encoded words': '=?a?Q?',
  'encoded words': '=?utf-8?Q?a?= ',
  'soft ends of lines': '=\r\n',
  escapes: '%25',
  'beginnings of images': '<img ',
  'images of the web': '<img src=//a>',
  comments: '<!--',
  boxes: '<div></div>',
  'quotation marks of mail': '> ',
  announcements: 'wrote::: ',
  'On and wrote': 'On 1 wrote:\n',
  groups: 'a:',
  'lists of addresses': 'a@b.c, ',
  parameters: ';a=b',
  'ends of parts': '\r\n--b\r\n',
  'shifted charsets': '~{+-&',
  'runs of base64': 'QUJD=',
}

/** Each shape of a text that once cost, or could cost, more than its length. */
export const growingTexts: Readonly<Record<string, GrowingText>> = {
  ...Object.fromEntries(Object.entries(units).map(([name, unit]) => [name, repeated(unit)])),
  'boxes in boxes': nested('<div>', '</div>'),
  'quotations in quotations': nested('<blockquote>', '</blockquote>'),
  'objects in objects': nested('{"a":', '}'),
  'lists in lists': nested('[', ']'),
  'comments in comments': nested('(', ')'),
  'stars in stars': nested('*_', '_*'),
  'words that all differ': numbered((index) => `w${index} `),
  'cells that all differ': numbered((index) => `"c${index}",`),
  'keys that all differ': numbered((index) => `${index === 0 ? '{' : ','}"k${index}":1`),
  'headers that all differ': numbered((index) => `X-${index}: y\r\n`),
  'quotations, each one deeper': numbered((index) => `${'>'.repeat(index % 200)} q\n`),
  'tags that all differ': numbered((index) => `<t${index} a${index}=1>`),
}

const known = new Map<string, string>()

export function growingText(name: string, length: number): string {
  const key = `${name} ${length}`
  const text = known.get(key) ?? growingTexts[name]?.(length)
  if (text === undefined) throw new TypeError(`no growing text is called ${name}`)
  known.set(key, text)
  return text
}
