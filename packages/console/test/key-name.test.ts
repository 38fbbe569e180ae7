import { describe, expect, test } from 'vitest'
import { keyName } from '../src/ui/key-name.ts'

type KeyEvent = Parameters<typeof keyName>[0]

function nameOf(key: string, code: string, held: Partial<KeyEvent> = {}): string | undefined {
  const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
  return keyName({ key, code, ...none, ...held } as KeyEvent)
}

describe('a letter of another alphabet counts by its place', () => {
  test.each([
    ['Russian', 'о', 'KeyJ', 'j'],
    ['Russian, with Caps Lock', 'О', 'KeyJ', 'j'],
    ['Greek', 'ξ', 'KeyJ', 'j'],
    ['Hebrew', 'ח', 'KeyJ', 'j'],
    ['Arabic', 'ت', 'KeyJ', 'j'],
  ])('%s', (_layout, key, code, name) => expect(nameOf(key, code)).toBe(name))

  test('also together with Ctrl', () => expect(nameOf('л', 'KeyK', { ctrlKey: true })).toBe('⌘K'))
})

test('a Latin layout counts by its letters, wherever they are', () => {
  expect(nameOf('j', 'KeyC')).toBe('j')
  // On a Dvorak keyboard.
  expect(nameOf(',', 'KeyW')).toBe(',')
})

test('a sign that Shift prints is named without it, and other keys with it', () => {
  expect(nameOf('?', 'Slash', { shiftKey: true })).toBe('?')
  expect(nameOf('/', 'Digit7', { shiftKey: true })).toBe('/')
  expect(nameOf('J', 'KeyJ', { shiftKey: true })).toBe('⇧j')
  expect(nameOf('Enter', 'Enter', { ctrlKey: true, shiftKey: true })).toBe('⌘⇧⏎')
})

test('the keys of the browser and of the system have no name', () => {
  expect(nameOf('j', 'KeyJ', { altKey: true })).toBeUndefined()
  expect(nameOf('k', 'KeyK', { metaKey: true })).toBeUndefined()
})
