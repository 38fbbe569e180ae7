import type sanitizeHtml from 'sanitize-html'
import { atFirstUse } from './at-first-use.ts'

const sanitizer = atFirstUse<typeof sanitizeHtml>('sanitize-html')

const blocks =
  /<\/?(?:p|div|li|ul|ol|h[1-6]|blockquote|pre|tr|table|section|article|header|footer|address|figure|dl|dt|dd)\b[^<>]*>/gi

/** Returns the text of HTML that `withSafeContent` has stored: a line for each block, without any tag. */
export function plainTextOf(html: string): string {
  const lined = html.replace(/<(?:br|hr)\b[^<>]*>/gi, '\n').replace(blocks, '\n')
  return decoded(sanitizer()(lined, { allowedTags: [], allowedAttributes: {} }))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The entities that the sanitizer writes. `&amp;` comes last: `&amp;lt;` is the text `&lt;`. */
const entities: readonly (readonly [RegExp, string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;/g, '"'],
  [/&#39;/g, "'"],
  [/&nbsp;|\u00a0/g, ' '],
  [/&amp;/g, '&'],
]

function decoded(text: string): string {
  return entities.reduce((result, [entity, character]) => result.replace(entity, character), text)
}
