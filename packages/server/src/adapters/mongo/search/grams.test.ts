import { expect, test } from 'vitest'
import { matchesText, plainSearchText, searchTerms } from '../../../storage/search-text.ts'
import { type Clue, cluesOf, gramsOf, searchNumberOf } from './grams.ts'

const pieces = [
  'a',
  'b',
  'ab',
  'é',
  '龍',
  '😀',
  '+',
  '.',
  '\\',
  '1',
  '22',
  ' ',
  '  ',
  '\n',
  '\u00a0',
  '\u3000',
]

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function randomText(random: () => number, length: number): string {
  return Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('')
}

function hasClue(grams: readonly string[], { text, isBeginning }: Clue): boolean {
  return grams.some((gram) => (isBeginning ? gram.startsWith(text) : gram === text))
}

test('a text has every clue of a term that it has, and a whole clue only of a term that it has', () => {
  const random = randomFrom(5)
  let matches = 0
  for (let round = 0; round < 3_000; round++) {
    const text = plainSearchText(randomText(random, 1 + Math.floor(random() * 60)))
    const grams = gramsOf(text)
    const start = Math.floor(random() * text.length)
    const part = text.slice(start, start + 1 + Math.floor(random() * 24))
    const search = random() < 0.5 ? part : randomText(random, 1 + Math.floor(random() * 4))
    for (const term of searchTerms(search)) {
      const plain = { ...term, digits: null }
      const isMatch = matchesText(text, [plain])
      if (isMatch) matches += 1
      for (const clue of cluesOf(term.text, 3)) {
        const seen = hasClue(grams, clue)
        if (isMatch || clue.isWhole)
          expect({ text, term: term.text, clue, seen }).toMatchObject({ seen: isMatch })
      }
    }
  }
  // Enough of both, or the rounds prove nothing.
  expect(matches).toBeGreaterThan(500)
})

test('a long term has the given number of clues at most, its beginning and its end among them', () => {
  const clues = cluesOf('abcdefghijklmnopqrstuvwxyz'.repeat(9), 16)
  expect(clues.length).toBeLessThanOrEqual(16)
  expect(clues.length).toBeGreaterThan(8)
  expect(clues.at(0)).toEqual({ text: 'abcdefgh', isBeginning: false, isWhole: false })
  expect(clues.at(-1)).toEqual({ text: 'stuvwxyz', isBeginning: false, isWhole: false })
})

test('the number of an id is a whole number that JavaScript holds exactly, and another one for another id', () => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => searchNumberOf(`con_${index}`))
  expect(numbers.every(Number.isSafeInteger)).toBe(true)
  expect(new Set(numbers).size).toBe(numbers.length)
})
