import { type NewMessageBody, validationFailure } from '@crmkit/core'
import sanitizeHtml from 'sanitize-html'

const options: sanitizeHtml.IOptions = {
  allowedTags: sanitizeHtml.defaults.allowedTags.filter((tag) => tag !== 'img'),
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
}

/**
 * A message's body with HTML reduced to what cannot act in a reader's browser. Throws VALIDATION_ERROR
 * when nothing is left of it.
 */
export function withSafeContent(body: NewMessageBody): NewMessageBody {
  if (body.contentType !== 'html') return body
  const content = sanitizeHtml(body.content, options).trim()
  if (content === '') {
    throw validationFailure([
      { field: 'content', message: 'holds no HTML that can be shown', rule: 'html', in: 'body' },
    ])
  }
  return { ...body, content }
}
