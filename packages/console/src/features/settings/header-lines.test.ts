import { expect, test } from 'vitest'
import { headerLines, headersOfLines } from './header-lines.ts'

test('headers that are written as lines are read as they were', () => {
  const headers = { Authorization: 'Bearer a:b', 'X-Shop': '', 'X-Mask': '••••' }
  expect(headersOfLines(headerLines(headers))).toEqual(headers)
  expect(headersOfLines('\n  X-Shop :  7  \n\n')).toEqual({ 'X-Shop': '7' })
  expect(headersOfLines('')).toEqual({})
})

test('lines that would lose a header are refused', () => {
  for (const text of ['Authorization', ': value', 'X-Shop: 1\nx-shop: 2']) {
    expect(headersOfLines(text), text).toBeUndefined()
  }
})
