import { expect, it } from 'vitest'
import { matchesText, plainSearchText, searchTerms } from './search-text.ts'

it('holds no more than twice the longest content, however much longer folding makes it', () => {
  const text = plainSearchText(`Invoice ${'\ufdfa'.repeat(65_000)}`)
  expect(text.length).toBe(131_072)
  expect(matchesText(text, searchTerms('INVOICE'))).toBe(true)
})

it('ends in no half of a character', () => {
  for (const start of ['', 'a']) {
    const text = plainSearchText(start + '\u{1d15f}'.repeat(65_000))
    expect(text.isWellFormed()).toBe(true)
  }
})

it('finds the text before and after a long run of marks', () => {
  const text = plainSearchText(`Zebra${'\u0301\u0323'.repeat(30_000)} Invoice`)
  expect(matchesText(text, searchTerms('invoice'))).toBe(true)
  expect(matchesText(text, searchTerms('zebr'))).toBe(true)
})
