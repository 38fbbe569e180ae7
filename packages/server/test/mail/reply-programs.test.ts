import { beforeAll, expect, test } from 'vitest'
import { findQuotations } from '../../src/mail/parse/quotations.ts'
import { readMail } from '../../src/mail/parse/read-mail.ts'
import { wordsOf } from '../../src/mail/parse/text-lines.ts'
import { mail, multipart } from './corpus/corpus-mail.ts'
import { languages } from './replies/languages.ts'
import { sentMail, type Template, templates } from './replies/outgoing.ts'
import { postings, programs, type Reply } from './replies/programs.ts'
import { plainOf } from './replies/text-forms.ts'

interface Result {
  name: string
  program: string
  language: string
  template: string
  posting: string
  /** Words of the customer that are not shown. */
  hidden: string[]
  /** Words of the quotation that are shown. */
  shown: string[]
}

function rawOf({ html, text, format }: Reply): Buffer {
  const type = `text/plain; charset=utf-8${format === undefined ? '' : `; format=${format}`}`
  if (html === undefined) return mail({ headers: [`Content-Type: ${type}`], body: text })
  return mail(
    multipart('alternative', [
      { type, body: text },
      { type: 'text/html; charset=utf-8', body: html },
    ]),
  )
}

/** The words of the first list that are not in the second one, in order. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const rest = [...others]
  return words.filter((word) => {
    const at = rest.indexOf(word)
    if (at === -1) return true
    rest.splice(at, 1)
    return false
  })
}

const results: Result[] = []

beforeAll(async () => {
  for (const language of languages)
    for (const template of Object.keys(templates) as Template[]) {
      const { mail: sent, thread } = await sentMail(language, template)
      for (const [program, write] of Object.entries(programs))
        for (const posting of postings) {
          const reply = write(sent, language, posting)
          const { facts } = await readMail(rawOf(reply))
          const found = findQuotations(facts.content, facts.contentType, thread)
          const rest = found
            .toReversed()
            .reduce((own, { from, to }) => own.slice(0, from) + own.slice(to), facts.content)
          const left = wordsOf(facts.contentType === 'html' ? plainOf(rest) : rest)
          const own = wordsOf(reply.own.join('\n'))
          results.push({
            name: `${program} in ${language.name}, ${posting} a reply (${template})`,
            program,
            language: language.name,
            template,
            posting,
            hidden: without(own, left),
            shown: without(left, own),
          })
        }
    }
})

test('no word of a customer is hidden, in whatever program a reply is written', () => {
  expect(results.filter(({ hidden }) => hidden.length > 0).map(({ name, hidden }) => [name, hidden])).toEqual(
    [],
  )
})

test('of the quotations of what the desk has sent at least 95 of 100 are folded whole', () => {
  const missed = results.filter(({ shown }) => shown.length > 0)
  const share = (100 * (results.length - missed.length)) / results.length
  expect(results.length).toBeGreaterThan(1_000)
  expect(
    share,
    missed.map(({ name, shown }) => `${name}: ${shown.join(' ')}`).join('\n'),
  ).toBeGreaterThanOrEqual(95)
})
