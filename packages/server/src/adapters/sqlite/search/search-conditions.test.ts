import { expect, test } from 'vitest'
import { matchesText, plainSearchText, searchTerms } from '../../../storage/search-text.ts'
import { openReaderDatabase } from '../connection/database.ts'
import { contentHasTerms } from './search-conditions.ts'

const contents = [
  'Where is my ORDER?',
  'a "quoted" back\\slash',
  'order\u0000 ended',
  'Ｗhere is my ｏrder',
  'ÉCOLE and Straße',
  'call +44 (20) 7946-0958',
  '',
]
const searches = [
  'order',
  'is',
  'ere',
  'école',
  'ORDER where',
  '"quoted"',
  'k\\s',
  'ended',
  '(20)',
  '7946-09',
  'w',
]

test.each(contents)('SQLite compares the content %j with a search as the rules of searches do', (content) => {
  const db = openReaderDatabase({ path: ':memory:' })
  const doc = JSON.stringify({ _id: 'order', content })
  for (const search of searches) {
    const terms = searchTerms(search)
    const [condition] = contentHasTerms('d.doc', terms)
    const text = `SELECT ${condition?.sql} FROM (SELECT ? AS doc) AS d`
    const found = db
      .prepare(text)
      .pluck()
      .get(...(condition?.params ?? []), doc)
    expect([search, found === 1]).toEqual([search, matchesText(plainSearchText(content), terms)])
  }
  db.close()
})
