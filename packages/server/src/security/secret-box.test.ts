import { expect, test } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const oldKey = 'an old key of at least thirty-two bytes'
const newKey = 'a new key of at least thirty-two bytes!'
const context = { tenantId: 'ten_1', id: 'whk_1' }
const box = createSecretBox([oldKey])

test('opens its own sealed texts, and seals the same text differently each time', () => {
  for (const plain of ['', 'whsec_abc', 'ünï\u0000code 🗝️', 'x'.repeat(10_000)]) {
    expect(box.open(box.seal(plain, context), context)).toBe(plain)
  }
  expect(box.seal('same', context)).not.toBe(box.seal('same', context))
  expect(box.seal('visible', context)).not.toContain('visible')
})

test('refuses a text with any single character changed', () => {
  const sealed = box.seal('secret', context)
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
    // The last character of base64 may carry bits that mean nothing.
    if (
      Buffer.from(changed.split('.')[2] ?? '', 'base64url').equals(
        Buffer.from(sealed.split('.')[2] ?? '', 'base64url'),
      )
    ) {
      if (changed.split('.').slice(0, 2).join() === sealed.split('.').slice(0, 2).join()) continue
    }
    expect(() => box.open(changed, context), String(at)).toThrow()
  }
})

test.each(['', 'v1', 'v1..', 'v1.00000000.AAAA', 'whsec_abc'])(
  'refuses %j, which it never sealed',
  (text) => {
    expect(() => box.open(text, context)).toThrow()
  },
)

test('refuses a shortened text', () => {
  const sealed = box.seal('secret', context)
  for (const length of [30, 40, sealed.length - 4])
    expect(() => box.open(sealed.slice(0, length), context)).toThrow()
})

test('refuses a text that was moved to another record or tenant', () => {
  const sealed = box.seal('secret', context)
  expect(() => box.open(sealed, { ...context, id: 'whk_2' })).toThrow()
  expect(() => box.open(sealed, { ...context, tenantId: 'ten_2' })).toThrow()
  expect(() => box.open(sealed, { tenantId: 'ten_1whk', id: '_1' })).toThrow()
})

test('a ring with a new first key opens texts of the old key, and seals with the new one', () => {
  const rotated = createSecretBox([newKey, oldKey])
  expect(rotated.open(box.seal('secret', context), context)).toBe('secret')
  expect(() => box.open(rotated.seal('secret', context), context)).toThrow('not in the ring')
  expect(() => createSecretBox([newKey]).open(box.seal('secret', context), context)).toThrow(
    'not in the ring',
  )
})

test('refuses to work without a key', () => expect(() => createSecretBox([])).toThrow())
