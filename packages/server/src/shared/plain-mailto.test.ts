import { expect, it } from 'vitest'
import { withSafeContent } from '../features/conversations/message-content.ts'
import { safeMailHtml } from '../mail/parse/safe-mail-html.ts'

const links = [
  'mailto:ada@b.test?attach=/etc/passwd',
  'MAILTO:ada@b.test?subject=a&amp;bcc=eve@evil.test',
  ' mail&#9;to:ada@b.test&#63;attach=x',
  'mailto:ada@b.test#x?attach=y',
].map((href) => `<a href="${href}">write</a>`)

it.each(links)('a link to write a mail keeps the address alone: %s', (link) => {
  const expected = /^<a href="mailto:ada@b\.test">write<\/a>$/i
  expect(safeMailHtml(link).html).toMatch(expected)
  expect(withSafeContent({ content: link, contentType: 'html' }).content).toMatch(expected)
})

it('a link to a page keeps what is behind its question mark', () => {
  const link = '<a href="https://b.test/?attach=1">read</a>'
  expect(safeMailHtml(link).html).toBe(link)
})
