import { expect, test } from 'vitest'
import { longLength, piecesOf } from './pieces.ts'

const joined = (body: string | Buffer) => Buffer.concat([...piecesOf(body)])

test('the pieces of a text have the same bytes as the text, also around a character of two halves', () => {
  for (const before of [0, 1, 2, 3]) {
    const text = 'x'.repeat(longLength - before) + '😀é'.repeat(longLength)
    expect(joined(text).equals(Buffer.from(text)), `${before} before the end`).toBe(true)
  }
})

test('half a character alone is replaced as in the whole text, and ends no piece early', () => {
  const text = '\ud83d'.repeat(longLength * 2 + 1)
  expect(joined(text).equals(Buffer.from(text))).toBe(true)
})

test('the pieces of shared bytes are views of them', () => {
  const bytes = Buffer.alloc(longLength * 2 + 1, 'b')
  const pieces = [...piecesOf(bytes)]
  expect(pieces.map(({ length }) => length)).toEqual([longLength, longLength, 1])
  expect(new Set(pieces.map(({ buffer }) => buffer))).toEqual(new Set([bytes.buffer]))
})
