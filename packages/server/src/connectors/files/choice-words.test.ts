import { choiceTargets } from '@crmkit/core'
import { expect, test } from 'vitest'
import { choiceWords } from './choice-word-tables.ts'

test('the tables of words have the meanings that the contract offers for each field', () => {
  const meanings = Object.entries(choiceWords).map(([target, words]) => [target, Object.keys(words).sort()])
  const offered = Object.entries(choiceTargets).map(([target, words]) => [target, words.toSorted()])
  expect(Object.fromEntries(meanings)).toEqual(Object.fromEntries(offered))
})
