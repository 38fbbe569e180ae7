import { expect, it } from 'vitest'
import { environmentOfKey, isKeyText, newKeyText } from './api-key-text.ts'

it.each([
  ['production', 'sk_live_'],
  ['staging', 'sk_test_'],
] as const)('makes a key for %s that it recognises', (environment, prefix) => {
  const { key, keyPrefix, keyHint } = newKeyText(environment)
  expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`))
  expect(keyPrefix).toBe(prefix)
  expect(keyHint).toBe(key.slice(-10, -6))
  expect(isKeyText(key)).toBe(true)
  expect(environmentOfKey(key)).toBe(environment)
})

// Made with zlib's crc32, independently of this code.
it.each(['sk_live_0123456789abcdefghijABCDEFGHIJ012JKXWC', 'sk_test_ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ0B0EPO'])(
  'recognises the checksum of %s',
  (key) => expect(isKeyText(key)).toBe(true),
)

it('refuses a key with any one character changed [auth.keyForm]', () => {
  const { key } = newKeyText('production')
  for (let i = 0; i < key.length; i++) {
    const changed = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1)
    expect(isKeyText(changed), `character ${i}`).toBe(false)
  }
})

it.each(['', 'sk_live_', 'Bearer x', 'sk_live_0123456789abcdefghijABCDEFGHIJ012JKXWC\n', 'sk_demo_abc'])(
  'refuses %j',
  (text) => expect(isKeyText(text)).toBe(false),
)

it('uses every character of the alphabet about equally often', () => {
  const counts = new Map<string, number>()
  const keys = 2000
  for (let i = 0; i < keys; i++) {
    for (const char of newKeyText('production').key.slice(8, 40))
      counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  const expected = (keys * 32) / 62
  expect(counts.size).toBe(62)
  // Six standard deviations: a modulo bias would make eight characters a quarter likelier.
  const bound = 6 * Math.sqrt(expected)
  for (const [char, count] of counts) expect(Math.abs(count - expected), char).toBeLessThan(bound)
})
