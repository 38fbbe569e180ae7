import { afterAll, expect, it } from 'vitest'
import { createMailParser } from '../../src/mail/parser-process/mail-parser.ts'
import { corpus } from './corpus/corpus.ts'
import { knownThread, ownWords } from './corpus/known-thread.ts'

const parser = createMailParser()
afterAll(() => parser.close())

async function* once(raw: Buffer): AsyncGenerator<Uint8Array> {
  yield raw
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
    const { facts: read, quotations } = await parser.parse(once(raw), async (parsed) => ({
      facts: parsed.facts,
      quotations: await parsed.quotations(knownThread),
    }))
    expect(read).toMatchObject(withMatchers(facts) as object)
    if (own !== undefined) expect(ownWords(read.content, quotations)).toBe(own)
    if (isFolded !== undefined) expect(quotations.length > 0).toBe(isFolded)
  },
)
