import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MailRefused } from './mail-refused.ts'
import { safeMailHtml } from './safe-mail-html.ts'

const pieces = [
  '<img src="http://t.test/p.gif" width="1" height="1">',
  '<img src=//x.test/a.png alt="A">',
  '<img src="cid:logo">',
  '<img src="javascript:x()">',
  '<left-out>',
  '<img data-left-out="1">',
  '<h1>',
  '</h1>',
  '<p>',
  '</p>',
  '<a href="http://e.test">',
  '</a>',
  '<div>',
  '</div>',
  '<blockquote>',
  '</blockquote>',
  '<br>',
  '<table><tr><td>',
  '</td></tr></table>',
  '<svg><img src="http://t.test">',
  '<style>',
  '<!--',
  '-->',
  '&lt;',
  '<',
  '"',
  'words ',
]

/** Every tag that is opened is closed by its own name, in the right order. */
function isBalanced(html: string): boolean {
  const open: string[] = []
  for (const [, slash, name = '', end] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)[^<>]*?(\/?)>/g)) {
    if (slash === '/') {
      if (open.pop() !== name) return false
    } else if (end !== '/') open.push(name)
  }
  return open.length === 0
}

describe('the safe HTML of a mail', () => {
  it('is balanced, and stays as it is when it is read again, whatever the mail holds', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (chosen) => {
        const { html } = safeMailHtml(chosen.join(''))
        expect(isBalanced(html), html).toBe(true)
        expect(html).not.toContain('left-out')
        expect(safeMailHtml(html).html).toBe(html)
      }),
      { numRuns: 500 },
    )
  })

  it('leaves an image of the web out that is there to be counted, and closes every tag behind it', () => {
    for (const size of ['width="1" height="1"', 'height=0', 'width="2px"', 'style="color:red; WIDTH: 1px"'])
      expect(safeMailHtml(`<img src="http://t.test/p.gif" ${size}><h1>News</h1><p>Hello</p>`).html).toBe(
        '<h1>News</h1><p>Hello</p>',
      )
  })

  it('keeps the place and the words of any other image of the web, without an address that loads', () => {
    const { html } = safeMailHtml(
      '<p>a<img src="//x.test/a.png" alt="Total: 3" width="20" style="width:100%">b</p>',
    )
    expect(html).toBe('<p>a<img data-remote="https://x.test/a.png" alt="Total: 3" width="20" />b</p>')
    for (const src of ['javascript:x()', 'data:text/html,x', 'ftp://x.test/a', 'http://', ''])
      expect(safeMailHtml(`a<img src="${src}" data-remote="file:///x">b`).html).toBe('ab')
  })

  it('refuses boxes that are nested too deep, and shows the words within many', () => {
    const boxes = (count: number) => `${'<div>'.repeat(count)}<b>x</b>${'</div> '.repeat(count)}`
    expect(safeMailHtml(boxes(500)).html).toBe('<b>x</b>')
    expect(() => safeMailHtml(boxes(600))).toThrow(MailRefused)
  })
})
