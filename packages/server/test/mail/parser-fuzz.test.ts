import { afterAll, expect, it } from 'vitest'
import { createMailParser } from '../../src/mail/parser-process/mail-parser.ts'
import { createRandom } from '../faults/support/random.ts'
import { fuzzMails } from '../fuzz/mail-fuzz.ts'

// `npm run fuzz -- --mails 100000` reads more of them, with any seed.
const seed = 20_261_123
const cases = 1_000

const parser = createMailParser()
afterAll(() => parser.close())

it('mutated mails are read or refused for their structure: none ends the process, and none brings a harmful text', async () => {
  const { read, refused, faults } = await fuzzMails(parser, { random: createRandom(seed), cases })
  expect(faults).toEqual([])
  expect(read + refused).toBe(cases)
  expect(read).toBeGreaterThan(cases * 0.9)
})
