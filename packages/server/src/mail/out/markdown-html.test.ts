import { expect, test } from 'vitest'
import { escapeMarkdown, markdownHtml } from './markdown-html.ts'

test('shows Markdown: line breaks, emphasis, links and images', () => {
  const markdown =
    '**Ada** from *Acme*\n[Help](https://acme.test/?a=1&b=2) [Write](mailto:a@acme.test)\n\n![Logo](https://acme.test/l.png)'
  expect(markdownHtml(markdown)).toBe(
    '<p><strong>Ada</strong> from <em>Acme</em><br />\n' +
      '<a href="https://acme.test/?a=1&amp;b=2">Help</a> <a href="mailto:a@acme.test">Write</a></p>\n' +
      '<p><img src="https://acme.test/l.png" alt="Logo" /></p>',
  )
})

test.each([
  '<script>x()</script>',
  '<img src=x onerror=x()>',
  '[a](javascript:x)',
  '[a](JaVaScRiPt:x)',
  '[a](&#106;avascript:x)',
  '[a](data:text/html,<script>x</script>)',
  '![a](data:image/svg+xml,<svg/onload=x>)',
  '![a](javascript:x)',
  '![a" onerror="x](https://a.test/x.png "y\\" onload=\\"x")',
  '<javascript:x>',
  '[a]: javascript:x\n[a]',
  '```"><script>x</script>\n```',
  '[a](https://a.test/"onmouseover="x)',
  '</div></body><style>*{display:none}</style>',
])('keeps %s inert', (markdown) => {
  const html = markdownHtml(markdown)
  const tags = [...html.matchAll(/<(\/?[a-z0-9]+)((?:\s+[a-z]+="[^"<>]*")*)\s*\/?>/g)]
  expect(html.replaceAll(/<(\/?[a-z0-9]+)((?:\s+[a-z]+="[^"<>]*")*)\s*\/?>/g, '')).not.toMatch(/[<>]/)
  for (const [, name, attributes = ''] of tags) {
    expect(name).toMatch(/^\/?(p|a|img|pre|code|em|strong|br)$/)
    for (const [, attribute, value] of attributes.matchAll(/\s+([a-z]+)="([^"]*)"/g)) {
      expect(attribute).toMatch(/^(href|src|alt|title)$/)
      if (attribute === 'href' || attribute === 'src') expect(value).toMatch(/^https:/)
    }
  }
})

test('an escaped value means itself, whatever it is', () => {
  for (const value of [
    '**Ada**',
    '<b>Ada</b>',
    '[a](https://evil.test)',
    '&amp; `x` _y_ #z',
    '- a',
    '1. a',
    'a\n# b',
    '\\*',
  ]) {
    const shown = markdownHtml(`Yours, ${escapeMarkdown(value)}`)
      .replace(/^<p>|<\/p>$/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
    expect(shown).toBe(`Yours, ${value.replace(/\s+/g, ' ')}`)
  }
})

test('reads hostile Markdown of the greatest length without a failure', () => {
  for (const text of ['>', '[', '*a_', '_a', '![', '1. ', 'a|\n-|\n', '[a](', '`', '- '])
    expect(markdownHtml(text.repeat(5_000 / text.length)).length).toBeGreaterThan(0)
})
