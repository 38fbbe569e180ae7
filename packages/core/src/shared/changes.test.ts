import { expect, it } from 'vitest'
import { changesBetween } from './changes.ts'

it('names each changed field with both values, and nothing else', () => {
  expect(changesBetween({ a: 1, b: 2, updatedAt: 'x' }, { a: 1, b: 3, updatedAt: 'y' })).toEqual({
    b: { from: 2, to: 3 },
  })
})

it('compares the members of profile and custom fields, and any other object as one value', () => {
  const before = {
    profile: { firstName: 'Ada', email: null },
    customFields: { a: 1, b: 2 },
    readAt: { agent: null },
  }
  const after = {
    profile: { firstName: 'Ada', email: 'a@b.de' },
    customFields: { b: 2, c: 3 },
    readAt: { agent: 'now' },
  }
  expect(changesBetween(before, after)).toEqual({
    'profile.email': { from: null, to: 'a@b.de' },
    'customFields.a': { from: 1, to: null },
    'customFields.c': { from: null, to: 3 },
    readAt: { from: { agent: null }, to: { agent: 'now' } },
  })
})

it('ignores inherited members, and compares a custom field that is null', () => {
  const named = changesBetween({ customFields: {} }, { customFields: { toString: 'x' } })
  expect(named).toEqual({ 'customFields.toString': { from: null, to: 'x' } })
  expect(changesBetween({ customFields: { valueOf: 1 } }, { customFields: {} })).toEqual({
    'customFields.valueOf': { from: 1, to: null },
  })
  expect(changesBetween({ customFields: {} }, { customFields: { plan: null } })).toEqual({
    'customFields.plan': { from: null, to: null },
  })
})

it('finds no change between equal lists, or between missing and null', () => {
  expect(changesBetween({ tags: ['a'] }, { tags: ['a'], note: null })).toEqual({})
})
