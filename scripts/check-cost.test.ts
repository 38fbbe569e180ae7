import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { checkCost, costProblems } from './check-cost.ts'

const found = (text: string) => costProblems('packages/core/src/a.ts', text)

describe('the check of costs', () => {
  it.each([
    ['blanks around a name', String.raw`/\{\{\s*([^{}]*?)\s*\}\}/g`],
    ['blanks before the end of a line', String.raw`/[^\S\n]+\n/g`],
    ['a name before a sign', String.raw`/[\w.]+@/`],
    ['an end of signs', '/[.,]+$/'],
    ['a bracket that nothing closes', '/<[^>]*>/g'],
    ['a tag that nothing closes', String.raw`/<img\b[^>]*>/g`],
    ['a word that nothing closes', String.raw`/=\?(.*?)\?=/g`],
    ['an empty line', String.raw`/\r?\n\s*\r?\n/`],
    ['a beginning of any line', '/^a[^b]*b/m'],
    ['a beginning in one of two forms', '/(?:x|y)[^z]*z/'],
    ['a repetition of some thousand characters', '/a.{0,5000}b/'],
    ['a repetition of a repetition', '/(a+)+b/'],
  ])('refuses an expression that takes the square of a text: %s', (_, literal) => {
    expect(found(`const pattern = ${literal}`)).toHaveLength(1)
  })

  it.each([
    ['a bracket that holds none', '/<[^<>]*>/g'],
    ['a repetition that ends the expression', String.raw`/https?:\/\/\S+/g`],
    ['a beginning at one place', '/^a[^b]*b/'],
    ['a sticky one', '/a[^b]*b/y'],
    ['a short repetition', '/a.{0,400}b/'],
    ['a class', String.raw`/[^\p{L}]/u`],
  ])('takes an expression that is linear: %s', (_, literal) => {
    expect(found(`const pattern = ${literal}`)).toEqual([])
  })

  it('refuses an expression that is built of text, and the normal form of the platform', () => {
    const problems = found(`new RegExp(name + '$')\n\nlong\n  .trim()\n  .normalize('NFC')`)
    expect(problems.map(({ line }) => line)).toEqual([1, 5])
    expect(costProblems('packages/core/src/shared/normalize.ts', `text.normalize('NFC')`)).toEqual([])
  })

  it('takes a cost beside the bound that makes it harmless, and a bound needs words', () => {
    expect(found('// bounded: an address has 254 characters.\nconst pattern = /<[^>]*>/')).toEqual([])
    expect(found('// bounded:\nconst pattern = /<[^>]*>/')).toHaveLength(1)
  })

  it('fails for a planted expression of a package, and names its line', () => {
    const root = mkdtempSync(join(tmpdir(), 'cost-'))
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      const folder = join(root, 'packages/widget/src')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'fine.ts'), 'export const pattern = /a/')
      expect(checkCost(root)).toBe(0)
      writeFileSync(join(folder, 'planted.tsx'), 'const a = 1\nexport const pattern = /<[^>]*>/')
      expect(checkCost(root)).toBe(1)
      expect(printed.mock.calls.join('')).toContain('packages/widget/src/planted.tsx:2: /<[^>]*>/: ')
    } finally {
      printed.mockRestore()
      rmSync(root, { recursive: true, force: true })
    }
  })

  it('passes for this repository', { timeout: 60_000 }, () => {
    expect(checkCost()).toBe(0)
  })
})
