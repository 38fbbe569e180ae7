import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')
const page = read('DESIGN.md')
const tokens = read('src/ui/tokens.css')
const sheets = globSync('src/**/*.css', { cwd: root })
const rules = sheets.map(read).join('\n')

function matches(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort()
}

/** The two values of a token: light and dark. */
function valuesOf(token: string): [string, string] {
  const [, light = '', dark = ''] =
    new RegExp(`${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? []
  return [light, dark]
}

/** Of WCAG 2: the relative luminance of a colour. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

it('a length in a source has its unit: a bare number is no length for the browser', () => {
  const lengths =
    /\b(?:gap|padding\w*|margin\w*|(?:min|max)?[wW]idth|(?:min|max)?[hH]eight|fontSize|borderRadius): -?[1-9][\d.]*\s*[,}]/g
  const styles = globSync('src/**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
    matches(read(file).replace(/useState\([^)]*\)/g, ''), new RegExp(`(${lengths.source})`, 'g')).map(
      (found) => `${file}: ${found}`,
    ),
  )
  expect(styles).toEqual([])
})

describe('the page about the look', () => {
  it('names every token, and none that does not exist', () => {
    expect(matches(page, /`(--[a-z-]+)`/g)).toEqual(matches(tokens, /^ {2}(--[a-z-]+):/gm))
  })

  it('names every token that a style sheet or a screen uses', () => {
    const screens = globSync('src/**/*.{ts,tsx}', { cwd: root }).map(read).join('\n')
    const known = matches(tokens, /^ {2}(--[a-z-]+):/gm)
    const used = matches(rules + screens, /var\((--[a-z-]+)\)/g)
    expect(used.filter((name) => !known.includes(name) && name !== '--slice-height')).toEqual([])
  })

  it('names every icon', () => {
    const drawn = matches(read('src/ui/icon.tsx'), /^ {2}(\w+): 'M/gm)
    expect(drawn.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    const [, section = ''] = page.split('## Icons')
    expect(matches(section.split('## Motion')[0] ?? '', /`(\w+)`/g)).toEqual(drawn)
  })

  it('names every size of text, and every width at which the panes change', () => {
    const [, type = ''] = page.split('## Type')
    for (const size of matches(rules, /font-size: (\d+)px/g))
      expect(type.split('## Space')[0]).toMatch(`${size} `)
    for (const width of matches(rules, /max-width: (\d+)px\) \{/g)) expect(page).toMatch(`${width}`)
  })

  it('is right about motion: one animation, and none for those who want none', () => {
    expect(rules).not.toMatch(/transition:/)
    expect(matches(rules, /animation: (?!none)([^;]+);/g)).toHaveLength(1)
    expect(rules).toMatch(/prefers-reduced-motion: reduce/)
  })
})

it('a colour has a name: no style sheet but the one of the tokens has the value of one', () => {
  const valued = sheets.filter((file) => /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)\(/i.test(read(file)))
  expect(valued).toEqual(['src/ui/tokens.css'])
})

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('in the theme %s', (_theme, at) => {
  const grounds = ['--ground', '--ground-raised', '--ground-sunken', '--ground-hover', '--ground-chosen']
  const pairs = [
    ...grounds.flatMap((ground) => [
      ['--text', ground],
      ['--text-soft', ground],
    ]),
    ...['--accent', '--danger', '--warn', '--good'].map((text) => [text, '--ground']),
    ['--on-accent', '--accent'],
    ['--on-accent', '--accent-strong'],
    ['--text', '--note-ground'],
    ['--text', '--reply-ground'],
    ['--danger', '--danger-ground'],
    ['--avatar-text', '--avatar-ground'],
  ]
  it.each(pairs)('%s can be read on %s', (text = '', ground = '') => {
    expect(contrastOf(valuesOf(text)[at], valuesOf(ground)[at])).toBeGreaterThanOrEqual(4.5)
  })
})
