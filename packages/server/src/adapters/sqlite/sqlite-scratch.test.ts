import { expect, test } from 'vitest'
import { StorageUnavailable } from '../../storage/errors.ts'
import { openSqliteScratch } from './sqlite-scratch.ts'

test('a scratch keeps texts by their keys; one whose file cannot be used is unavailable, which says nothing about the work', () => {
  const scratch = openSqliteScratch()
  scratch.set('a', 'first')
  scratch.set('a', 'second')
  expect([scratch.get('a'), scratch.get('b')]).toEqual(['second', undefined])
  expect([scratch.add('a', 'other'), scratch.add('b', 'new'), scratch.add('b', 'other')]).toEqual([
    'second',
    undefined,
    'new',
  ])
  scratch.close()
  expect(() => scratch.set('a', 'third')).toThrow(StorageUnavailable)
  expect(() => scratch.get('a')).toThrow(StorageUnavailable)
})
