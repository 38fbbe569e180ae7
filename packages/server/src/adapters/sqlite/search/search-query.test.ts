import { expect, test } from 'vitest'
import { searchTerms } from '../../../storage/search-text.ts'
import { planSearch } from './search-query.ts'

const tokensOf = (search: string, fractions: Record<string, number>, rowCount = 1_000_000) => {
  const fractionOf = (token: string) => fractions[token] ?? 0.5
  return planSearch(searchTerms(search), { rowCount, fractionOf }).match.split(' AND ')
}

test('each term of a search gives its rarest token before any term gives a second one', () => {
  const fractions = { lov: 0.02, ove: 0.03, vel: 0.021, ada: 0.09 }
  expect(tokensOf('lovel ada', fractions).slice(0, 2)).toEqual(['"lov"', '"ada"'])
})

test('a token is left out when reading its rows in the index costs more than the texts that it saves', () => {
  expect(tokensOf('lovel', { lov: 0.00007, ove: 0.9, vel: 0.9 })).toEqual(['"lov"'])
  expect(tokensOf('lovel', { lov: 0.05, ove: 0.06, vel: 0.9 })).toEqual(['"lov"', '"ove"'])
})
