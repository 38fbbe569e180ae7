import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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
    expect(safeMailHtml('<img src="//x.test/a.png" alt="a" style="color:#fff;top:0">').html).toBe(
      '<img data-remote="https://x.test/a.png" alt="a" style="color:#fff" />',
    )
    for (const src of ['javascript:x()', 'data:text/html,x', 'ftp://x.test/a', 'http://', ''])
      expect(safeMailHtml(`a<img src="${src}" data-remote="file:///x">b`).html).toBe('ab')
  })

  it('leaves elements out that are nested too deep, and shows their words', () => {
    const boxes = `${'<div>'.repeat(5_000)}<b>x</b>${'</div> '.repeat(5_000)}`
    const { html } = safeMailHtml(`<p>Own words</p>${boxes}`)
    expect(html.match(/<div>/g)).toHaveLength(200)
    expect(html.replace(/<[^>]*>/g, '').replace(/\s/g, '')).toBe('Ownwordsx')
  })

  it('keeps what changes the words: struck out, inserted, coloured, counted from a number', () => {
    for (const html of [
      '<p><del>10</del> <ins>3</ins> <s>5</s> <strike>6</strike></p>',
      '<span style="text-decoration:line-through">3 chairs</span>',
      '<span style="color:#c00;background-color:yellow">here</span>',
      '<font color="red">here</font>',
      '<ol start="4" type="a"><li value="7">blue</li></ol>',
      '<table><tr><td colspan="2" align="right">35</td></tr></table>',
      '<table border="1"><tr><td style="border:solid windowtext 1.0pt;padding:0cm 5.4pt">35</td></tr></table>',
      '<p dir="rtl">\u0634\u0643\u0631\u0627</p>',
    ])
      expect(safeMailHtml(html).html).toBe(html)
    expect(safeMailHtml('<s style="text-decoration-line: line-through; top:0">a</s>').html).toBe(
      '<s style="text-decoration:line-through">a</s>',
    )
  })

  it('keeps no style that loads, covers or moves anything', () => {
    const styles = [
      'background:url(http://x)',
      'position:fixed;top:0',
      'color:expression(x)',
      'width:9999px',
      'color:red}</style>',
      'text-decoration:url(x)',
      'border:10px solid red',
      'border-left:url(http://x)',
      'padding:100px',
      'padding:-1px',
    ]
    for (const style of styles)
      expect(safeMailHtml(`<p style="${style}" start="x" dir="up">a</p>`).html).toBe('<p>a</p>')
  })

  it('shows the words of an image that it leaves out', () => {
    expect(safeMailHtml('<p>a <img src="cid:no" alt="Total: 3 &lt;b&gt;"></p>').html).toBe(
      '<p>a Total: 3 &lt;b&gt;</p>',
    )
  })
})

it('a link without a scheme is words alone, because a mail has no page that it could lead to', () => {
  for (const href of ['/console/settings', 'next.html', '?a=1', '//x.test/', 'httpsf=', 'javascript:a()', ''])
    expect(safeMailHtml(`<p><a href="${href}">x</a></p>`).html, href).toBe('<p><a>x</a></p>')
  for (const href of ['https://x.test/', 'HTTP://x.test/', 'mailto:a@x.test', 'tel:+49'])
    expect(safeMailHtml(`<a href=" ${href}">x</a>`).html.toLowerCase(), href).toContain(
      `href="${href.toLowerCase()}"`,
    )
})
