import { describe, expect, it } from 'vitest'
import { searchTerms } from '../../storage/search-text.ts'
import { makeSnippet } from './make-snippet.ts'

const hitsOf = (content: string, search: string) => {
  const { snippet, ranges } = makeSnippet(content, searchTerms(search))
  return { snippet, hits: ranges.map(([start, end]) => snippet.slice(start, end)) }
}

describe('a snippet', () => {
  it('has at most 60 units on each side of the first hit, in one line', () => {
    const { snippet, hits } = hitsOf(`${'a '.repeat(100)}\nLAMP\n${'b '.repeat(100)}`, 'lamp')
    expect(hits).toEqual(['LAMP'])
    expect(snippet).toBe(`${' a'.repeat(29)}  LAMP ${'b '.repeat(29)}b`)
  })

  it('marks every hit in it, in order and once where they overlap', () => {
    expect(hitsOf('lamplight and a lamp', 'lamp amplight').hits).toEqual(['lamplight', 'lamp'])
    expect(hitsOf('He is 31, and so is she', 'is').hits).toEqual(['is', 'is'])
    expect(hitsOf('his', 'is').hits).toEqual([])
    expect(hitsOf('Call 442079460958', '+44-20-7946').hits).toEqual(['44207946'])
  })

  it('marks what was written, however it folds', () => {
    expect(hitsOf('Ein ＣＡＦÉ in der Straße', 'café').hits).toEqual(['ＣＡＦÉ'])
    expect(hitsOf('Ein Cafe\u0301!', 'café').hits).toEqual(['Cafe\u0301'])
    expect(hitsOf('Die ﬁnale Form', 'final').hits).toEqual(['ﬁnal'])
    expect(hitsOf('Grüße 😀 an Zoë', 'zoë').hits).toEqual(['Zoë'])
  })

  it('cuts no grapheme', () => {
    const family = '👩‍👩‍👧‍👦'
    const { snippet } = hitsOf(`${family.repeat(20)} lamp ${family.repeat(20)}`, 'lamp')
    const [left = '', right = ''] = snippet.split(' lamp ')
    expect(left.length).toBeLessThanOrEqual(60)
    expect(left).toBe(family.repeat(left.length / family.length))
    expect(right).toBe(family.repeat(right.length / family.length))
    expect(left.length).toBeGreaterThan(0)
    expect(makeSnippet('\ud800 lamp', searchTerms('lamp')).snippet.isWellFormed()).toBe(true)
  })

  it('is the beginning of a text whose hits cannot be placed', () => {
    expect(makeSnippet('Hello there', searchTerms('nothing'))).toEqual({ snippet: 'Hello there', ranges: [] })
    expect(makeSnippet('', searchTerms('nothing'))).toEqual({ snippet: '', ranges: [] })
  })
})
