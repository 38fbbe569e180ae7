import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { renderConformance } from './conformance.ts'

const root = mkdtempSync(join(tmpdir(), 'conformance-'))
afterAll(() => rmSync(root, { recursive: true }))

function render(ids: readonly string[], titles: string): string {
  mkdirSync(join(root, 'docs'), { recursive: true })
  mkdirSync(join(root, 'packages/a/src'), { recursive: true })
  const rows = ids.map((id) => `| \`${id}\` | A demand | |`)
  writeFileSync(join(root, 'docs/conformance.md'), ['# Rows', '', ...rows, ''].join('\n'))
  writeFileSync(join(root, 'packages/a/src/a.test.ts'), titles)
  return renderConformance(root)
}

test('each row gets the tests whose titles end with its id or with a pattern of it', () => {
  const titles = `test.each(cases)('a %s [key.end key.text]', () => {})\n  it(\n    'b | c [key.*]',\n)`
  const link = (title: string) => `[${title}](../packages/a/src/a.test.ts)`
  expect(render(['key.end', 'key.text'], titles)).toBe(
    `# Rows\n\n| \`key.end\` | A demand | ${link('a %s')}<br>${link('b \\| c')} |\n` +
      `| \`key.text\` | A demand | ${link('a %s')}<br>${link('b \\| c')} |\n`,
  )
})

test('a row without a test, with a skipped one or twice, and an id without a row are refused', () => {
  expect(() => render(['key.end'], '')).toThrow('key.end: no title of a test names it')
  expect(() => render(['key.end'], "test.skip('a [key.end]', () => {})")).toThrow('key.end: no title')
  expect(() => render(['key.end', 'key.end'], "test('a [key.end]', run)")).toThrow('key.end occurs twice')
  expect(() => render([], "test('a [key.and]', run)")).toThrow('key.and: there is no such row, and “a”')
})
