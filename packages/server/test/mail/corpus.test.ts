import { afterAll, expect, it } from 'vitest'
import type { MailFacts } from '../../src/mail/mail-facts.ts'
import { createMailParser } from '../../src/mail/parser/mail-parser.ts'
import { charsetMails } from './corpus/charset-mails.ts'
import type { CorpusMail } from './corpus/corpus-mail.ts'
import { formMails } from './corpus/form-mails.ts'
import { machineMails } from './corpus/machine-mails.ts'
import { replyMails } from './corpus/reply-mails.ts'
import { reportMails } from './corpus/report-mails.ts'
import { tortureMails } from './corpus/torture-mails.ts'

const corpus: readonly CorpusMail[] = [
  ...charsetMails,
  ...replyMails,
  ...reportMails,
  ...machineMails,
  ...formMails,
  ...tortureMails,
]
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

it('holds at least 150 mails, each with a name of its own', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(150)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
})

it.each(corpus.map((mail) => [mail.name, mail] as const))(
  '%s is read right',
  async (_, { raw, expected }) => {
    const { own, isFolded, ...facts } = expected
    const read = await parser.parse(once(raw), async (parsed) => parsed.facts)
    expect(read).toMatchObject(facts)
    if (own !== undefined) expect(ownWords(read)).toBe(own)
    if (isFolded !== undefined) expect(read.quotedFrom !== null).toBe(isFolded)
  },
)
