import { describe, expect, test } from 'vitest'
import { type MarkdownNode, readMarkdown } from '../src/browser/frame/markdown.ts'
import { pictureTypeOf } from '../src/browser/frame/picture-type.ts'

/** Writes the nodes as tags, with every other sign as it is. */
function shown(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node
      const { tag, href, children } = node
      return `<${tag}${href === undefined ? '' : `=${href}`}>${shown(children)}</${tag}>`
    })
    .join('')
}
const read = (source: string) => shown(readMarkdown(source))

function hrefsOf(nodes: readonly MarkdownNode[]): string[] {
  return nodes.flatMap((node) =>
    typeof node === 'string'
      ? []
      : [...(node.href === undefined ? [] : [node.href]), ...hrefsOf(node.children)],
  )
}

describe('Markdown of an agent', () => {
  test.each([
    [
      '**bold** and *it*, __bold__ and _it_',
      '<strong>bold</strong> and <em>it</em>, <strong>bold</strong> and <em>it</em>',
    ],
    ['**bold with _it_ in it**', '<strong>bold with <em>it</em> in it</strong>'],
    ['use `a * b * c`', 'use <code>a * b * c</code>'],
    ['one\ntwo', 'one\ntwo'],
    ['- a\n- **b**\n\ntext', '<ul><li>a</li><li><strong>b</strong></li></ul>text'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['```js\nconst a = *b*\n```\nafter', '<pre>const a = *b*</pre>after'],
    ['[the shop](https://shop.example/x)', '<a=https://shop.example/x>the shop</a>'],
    ['![plan](https://shop.example/p.png)', '<a=https://shop.example/p.png>plan</a>'],
    ['see https://shop.example/a_b_c.', 'see <a=https://shop.example/a_b_c>https://shop.example/a_b_c</a>.'],
    ['write to ada@shop.example', 'write to <a=mailto:ada@shop.example>ada@shop.example</a>'],
    ['1 \\* 2 \\* 3', '1 * 2 * 3'],
  ])('%j is read', (source, expected) => {
    expect(read(source)).toBe(expected)
  })

  test.each([
    '2 * 3 * 4',
    'snake_case_name',
    'a ** b ** c',
    '*',
    '**',
    '`',
    '[x](',
    '[x]()',
    '-no item',
    '# title',
    '',
  ])('%j stays as it is written', (source) => expect(read(source)).toBe(source))

  test.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '**<b onclick=alert(1)>**',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x)',
    '[x](//evil.example)',
    '[x](/api/v1/widget/sessions)',
    '[x](java\tscript:alert(1))',
    '[x](file:///etc/passwd)',
    '![x](javascript:alert(1))',
    '[javascript:alert(1)](blob:x)',
  ])('%j makes no link, and its signs stay text', (source) => {
    expect(hrefsOf(readMarkdown(source))).toEqual([])
    expect(shown(readMarkdown(source)).replaceAll(/<\/?(?:strong|em)>/g, '')).toContain(
      source.replaceAll('*', ''),
    )
  })

  test('a link to write a mail keeps the address alone', () => {
    expect(hrefsOf(readMarkdown('[x](mailto:ada@b.example?bcc=eve@c.example)'))).toEqual([
      'mailto:ada@b.example',
    ])
  })

  test.each([
    '*',
    '_',
    '**',
    '`',
    '[',
    '![',
    '](',
    '[a](',
    '\\',
    '- ',
    '```\n',
    '*a',
    '_a ',
    '[a',
    '**a_',
    'https://',
    '@',
  ])(
    // A square of this length would need minutes.
    'a long text of %j is read',
    (sign) => {
      const nodes = readMarkdown(sign.repeat(200_000 / sign.length))
      expect(Array.isArray(nodes)).toBe(true)
    },
  )
})

test('the first bytes of a file decide whether it is a picture', () => {
  const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
  expect(pictureTypeOf(bytes('\x89PNG\r\n\x1a\nrest'))).toBe('image/png')
  expect(pictureTypeOf(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg')
  expect(pictureTypeOf(bytes('GIF89a'))).toBe('image/gif')
  expect(pictureTypeOf(bytes('RIFF\x0a\x0a\x0a\x0aWEBP'))).toBe('image/webp')
  for (const text of ['', '<svg xmlns="http://www.w3.org/2000/svg">', 'RIFFxxxxWAVE', 'BM', 'PNG', ' GIF89a'])
    expect(pictureTypeOf(bytes(text)), text).toBeUndefined()
})
