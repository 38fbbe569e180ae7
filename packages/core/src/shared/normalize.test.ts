import { describe, expect, it } from 'vitest'
import { longRun, normalizeText } from './normalize.ts'

const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

/** Every character that composes with the one before it, but for Hangul, which the platform composes on the way. */
const joiners = new Set(
  characters
    .filter((character) => !/\p{Script=Hangul}/u.test(character))
    .flatMap((character) => [...character.normalize('NFD')].slice(1)),
)

/** Whether it is moved before the mark with the highest class, or composes with what stands before it. */
function joins(character: string): boolean {
  const decomposed = character.normalize('NFKD')
  const isMoved = !`\u0345${character}`.normalize('NFKD').startsWith('\u0345')
  return isMoved || [...decomposed].slice(0, 1).some((first) => joiners.has(first))
}

const runs = {
  'marks in the wrong order': 'a\u0301\u0323'.padEnd(200_000, '\u0301\u0323'),
  'marks of two characters': '\u0f73'.repeat(200_000),
  'letters that become marks': '\uff9e\u0301'.repeat(100_000),
  'vowels that join': '\u{16d68}'.repeat(100_000),
  'runs that are just not long': `a${'\u0301\u0323'.repeat(15)}`.repeat(6000),
  'half pairs': '\ud834\u0301'.repeat(100_000),
}

describe('normalizing a text', () => {
  it('gives what the platform gives for a text with at most 30 joined characters in a run', () => {
    for (const text of [
      'Zoe\u0308',
      '\ufb01\uff71\uff9e',
      '\u1100\u1161\u11a8',
      'a\u0301\u0323'.repeat(99),
      `e${'\u0301\u0323'.repeat(15)}`,
    ]) {
      for (const form of ['NFC', 'NFKC'] as const)
        expect(normalizeText(text, form)).toBe(text.normalize(form))
    }
  })

  it('leaves a normalized text as it is, however long its runs', () => {
    const text = `\u00e9${'\u0323'.repeat(100)}${'\u0301'.repeat(100)}b`.normalize('NFC')
    expect(normalizeText(text, 'NFC')).toBe(text)
  })

  it('loses no character of a long run', () => {
    const text = `x${'\u0334\u0323'.repeat(100)}y`
    expect([...normalizeText(text, 'NFC')].sort()).toEqual([...text].sort())
  })

  it.each(Object.entries(runs))('costs no more than the length allows for %s', (_, text) => {
    for (const form of ['NFC', 'NFKC'] as const) {
      const before = process.cpuUsage()
      normalizeText(text, form)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1000).toBeLessThan(1000)
    }
  })

  it('knows every character that a run can grow by', () => {
    const unknown = characters.filter((character) => joins(character) && !longRun.test(character.repeat(31)))
    expect(unknown.map((character) => character.codePointAt(0)?.toString(16))).toEqual([])
  })
})
