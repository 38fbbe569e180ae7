import { describe, expect, test } from 'vitest'
import { customFields } from './custom-fields.ts'

function problemOf(fields: unknown) {
  const { error } = customFields.safeParse(fields)
  return error?.issues.map(({ path, message }) => [path.join('.'), message])
}

describe('custom fields', () => {
  test('accept any JSON, unchanged', () => {
    const fields = JSON.parse('{"a.b":{"$c":[null,true,1e308,-0.5,"x",{}]},"d":[]}')
    expect(customFields.parse(fields)).toEqual(fields)
  })

  test('refuse a number that JSON cannot represent, and name its path', () => {
    const fields = JSON.parse('{"size":{"of":[1,{"it":-1e999}]}}')
    expect(problemOf(fields)).toEqual([['size.of.1.it', 'must be a finite number']])
  })

  test.each([
    ['200 keys', Object.fromEntries(Array.from({ length: 200 }, (_, i) => [i, 1])), undefined],
    [
      '201 keys',
      Object.fromEntries(Array.from({ length: 201 }, (_, i) => [i, 1])),
      [['', 'must have at most 200 keys']],
    ],
    ['32 KB', { a: 'é'.repeat(16 * 1024 - 4) }, undefined],
    ['one byte more', { a: `${'é'.repeat(16 * 1024 - 4)}x` }, [['', 'must be at most 32 KB as JSON']]],
  ])('hold at most %s', (_, fields, problem) => {
    expect(problemOf(fields)).toEqual(problem)
  })
})
