import { contentLengthMax, type NewMessageBody, validationFailure } from '@crmkit/core'
import type sanitizeHtml from 'sanitize-html'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { withPlainMailto } from '../../shared/plain-mailto.ts'

const sanitizer = atFirstUse<typeof sanitizeHtml>('sanitize-html')

/** The depth at which browsers stop nesting. The parser compares every closing tag with all open ones. */
const depthMax = 512

const refusal = (field: string, message: string, rule: string) =>
  validationFailure([{ field, message, rule, in: 'body' }])

/**
 * Returns a message's body with its HTML reduced to tags that run nothing in a reader's browser. Throws
 * VALIDATION_ERROR when nothing is left of it, when it is nested too deep, or when the result is too long.
 */
export function withSafeContent(body: NewMessageBody, field = 'content'): NewMessageBody {
  if (body.contentType !== 'html' || body.content === '') return body
  const content = safeHtml(body.content, field)
  if (content === '') throw refusal(field, 'holds no HTML that can be shown', 'html')
  return { ...body, content }
}

/** Returns HTML reduced to tags that run nothing in a reader's browser; it may be empty. Throws VALIDATION_ERROR as above. */
export function safeHtml(html: string, field: string): string {
  let depth = 0
  const sanitize = sanitizer()
  const content = sanitize(html, {
    allowedTags: sanitize.defaults.allowedTags.filter((tag) => tag !== 'img'),
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    transformTags: { a: (tagName, attribs) => ({ tagName, attribs: withPlainMailto(attribs) }) },
    onOpenTag: () => {
      depth += 1
      if (depth > depthMax) throw refusal(field, `must not nest HTML deeper than ${depthMax}`, 'depth')
    },
    onCloseTag: () => {
      depth -= 1
    },
  }).trim()
  // Characters that become entities make the content longer than it was sent.
  if (content.length > contentLengthMax) {
    throw refusal(field, `must be at most ${contentLengthMax} characters long as safe HTML`, 'max')
  }
  return content
}
