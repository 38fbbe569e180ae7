import { afterAll, expect, it } from 'vitest'
import type { MailFacts } from '../../src/mail/parse/mail-facts.ts'
import { createMailParser } from '../../src/mail/parser-process/mail-parser.ts'
import { corpus } from './corpus/corpus.ts'

const parser = createMailParser()
afterAll(() => parser.close())

async function* once(raw: Buffer): AsyncGenerator<Uint8Array> {
  yield raw
}

/** The words above the fold, without tags. */
function ownWords({ content, quotedFrom }: MailFacts): string {
  return content
    .slice(0, quotedFrom ?? content.length)
    .replace(/<[^>]*>/g, '')
    .trim()
}

/** Returns the value with a matcher for each pattern in it. */
function withMatchers(value: unknown): unknown {
  if (value instanceof RegExp) return expect.stringMatching(value)
  if (Array.isArray(value)) return value.map(withMatchers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withMatchers(each)]))
}

it('holds at least 150 mails, each with a name of its own', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(150)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
})

it.each(corpus.map((mail) => [mail.name, mail] as const))(
  '%s is read right',
  async (_, { raw, expected }) => {
    const { own, isFolded, ...facts } = expected
    const read = await parser.parse(once(raw), async (parsed) => parsed.facts)
    expect(read).toMatchObject(withMatchers(facts) as object)
    if (own !== undefined) expect(ownWords(read)).toBe(own)
    if (isFolded !== undefined) expect(read.quotedFrom !== null).toBe(isFolded)
  },
)
