import { contentLengthMax, Failure, type Problem } from '@crmkit/core'
import { describe, expect, it } from 'vitest'
import { withSafeContent } from './message-content.ts'

const html = (content: string) => ({ content, contentType: 'html' as const })
const fill = (unit: string, length = contentLengthMax) => unit.repeat(Math.floor(length / unit.length))

/** The stored content, or the rules that refuse it. */
function storedOrRefused(content: string): string | string[] {
  try {
    return withSafeContent(html(content)).content
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return (error.details as Problem[]).map(({ rule }) => rule)
  }
}

describe('the HTML of a message', () => {
  it('is limited by its stored length: characters that become entities count as entities', () => {
    expect(storedOrRefused('&'.repeat(13_107))).toBe('&amp;'.repeat(13_107))
    expect(storedOrRefused('&'.repeat(13_108))).toEqual(['max'])
    expect(storedOrRefused(fill('<p>'))).toEqual(['max'])
  })

  it('may nest at most 512 tags, whether they are allowed, closed or inside of others', () => {
    for (const tag of ['b', 'x', 'svg', 'table']) {
      const nested = (depth: number) => `a${`<${tag}>`.repeat(depth)}b${`</${tag}>`.repeat(depth)}`
      expect(storedOrRefused(nested(512))).toContain('b')
      expect(storedOrRefused(nested(513))).toEqual(['depth'])
      expect(storedOrRefused(`<iframe>${nested(600)}</iframe>`)).toEqual(['depth'])
    }
    expect(storedOrRefused(`${'<b>'.repeat(513)}a`)).toEqual(['depth'])
  })

  it('may hold any number of tags beside each other, also without closing tags', () => {
    for (const unit of ['<b>a</b>', '<br>', '<li>a', '<p>a', '<hr/>']) {
      expect(storedOrRefused(unit.repeat(3000))).toContain(unit.slice(0, 2))
    }
  })

  const worst = [
    '<b>',
    '<x>',
    '<p>',
    '<li>',
    '<svg>',
    '<iframe>',
    '<noscript>',
    '<script>',
    '<textarea>',
    '</b>',
    '&',
    '&a',
    '<',
    '<!--',
    '<![CDATA[',
    '<?',
    '<a b=',
    '<a href=h:a>',
    '<a href=//a>',
    '<a name=a>',
  ].map((unit): [string, string] => [unit, fill(unit)])
  const half = contentLengthMax / 2
  it.each([
    ...worst,
    ['tags that never close what is open', fill('<b>', half) + fill('</i>', half)],
    ['ends of paragraphs inside of others', fill('<div>', half) + fill('</p>', half)],
    ['one tag of many attributes', `<a ${fill('b ', contentLengthMax - 4)}>`],
    ['one address of comments', `<a href="${fill('<!--', contentLengthMax - 12)}">x</a>`],
    ['one address of marks', `<a href="//${fill('\u0301\u0323', contentLengthMax - 16)}">x</a>`],
  ] satisfies [string, string][])('costs at most 5 ms of processor time per KB: %s', (_, content) => {
    const before = process.cpuUsage()
    storedOrRefused(content)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(5 * 64)
  })
})
