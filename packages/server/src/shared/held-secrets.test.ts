import { expect, test } from 'vitest'
import { HeldSecrets } from './held-secrets.ts'

function makeHeld() {
  const clock = { ms: 0, nowMs: () => clock.ms }
  return { clock, held: new HeldSecrets<string>(clock) }
}

test('a secret is given up to its end, and not from then on', () => {
  const { clock, held } = makeHeld()
  held.hold('a', 'token', 100)
  clock.ms = 99
  expect(held.get('a')).toBe('token')
  clock.ms = 100
  expect(held.get('a')).toBeUndefined()
})

test('each new secret removes those that have ended, and no other one', () => {
  const { clock, held } = makeHeld()
  held.hold('short', 'one', 100)
  held.hold('long', 'two', 1_000)
  expect(held.size).toBe(2)
  clock.ms = 100
  held.hold('new', 'three', 300)
  expect(held.size).toBe(2)
  expect([held.get('short'), held.get('long'), held.get('new')]).toEqual([undefined, 'two', 'three'])
})

test('a secret that is forgotten, or replaced, is removed at once', () => {
  const { held } = makeHeld()
  held.hold('a', 'old', 100)
  held.hold('a', 'new', 200)
  expect([held.get('a'), held.size]).toEqual(['new', 1])
  held.forget('a')
  expect([held.get('a'), held.size]).toEqual([undefined, 0])
})
