import type markdownIt from 'markdown-it'
import type sanitizeHtml from 'sanitize-html'
import { atFirstUse } from '../../shared/at-first-use.ts'

const sanitizer = atFirstUse<typeof sanitizeHtml>('sanitize-html')
const markdown = atFirstUse<typeof markdownIt>('markdown-it')

/** HTML in the Markdown is shown as text. A line break stays one, as in the text of the same mail. */
const rules = { html: false, linkify: false, breaks: true }

/**
 * Returns the HTML of a reply or a signature in Markdown, with nothing in it that runs. Images are loaded by the readers of the
 * mail from wherever the text says.
 */
export function markdownHtml(source: string): string {
  const sanitize = sanitizer()
  return sanitize(markdown()(rules).render(source), {
    allowedTags: [...sanitize.defaults.allowedTags, 'img'],
    allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'title'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https'] },
  }).trim()
}

/** Returns a text of one line as it has to be written in Markdown to mean itself. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, '\\$&')
}
