import { expect, it } from 'vitest'
import { kinds } from '../../src/storage/kinds/registry.ts'
import { personalFieldProblems } from './personal-fields.ts'

it('no text and no JSON value is classed as harmless without a reason', () => {
  expect(Object.values(kinds).flatMap(personalFieldProblems).join('\n')).toBe('')
})
