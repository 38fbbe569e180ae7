import { contentLengthMax, type NewMessageBody, validationFailure } from '@crmkit/core'
import sanitizeHtml from 'sanitize-html'

/** The depth at which browsers stop nesting. The parser compares every closing tag with all open ones. */
const depthMax = 512

const options: sanitizeHtml.IOptions = {
  allowedTags: sanitizeHtml.defaults.allowedTags.filter((tag) => tag !== 'img'),
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
}

const refusal = (field: string, message: string, rule: string) =>
  validationFailure([{ field, message, rule, in: 'body' }])

/**
 * Returns a message's body with its HTML reduced to tags that run nothing in a reader's browser. Throws
 * VALIDATION_ERROR when nothing is left of it, when it is nested too deep, or when the result is too long.
 */
export function withSafeContent(body: NewMessageBody, field = 'content'): NewMessageBody {
  if (body.contentType !== 'html') return body
  const content = safeHtml(body.content, field)
  if (content === '') throw refusal(field, 'holds no HTML that can be shown', 'html')
  return { ...body, content }
}

/** Returns HTML reduced to tags that run nothing in a reader's browser; it may be empty. Throws VALIDATION_ERROR as above. */
export function safeHtml(html: string, field: string): string {
  let depth = 0
  const content = sanitizeHtml(html, {
    ...options,
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
